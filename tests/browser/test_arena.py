"""Chapter 8: a race from start to finish, its companions, and what a killed worker and a telephone do to them."""

import os
import re
import signal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.browser.test_training import workers
from tools.figure_on_page import OnPage
from tools.local_server import Server

RACE = "arena?arena.depth=4&arena.seeds=1&arena.training_steps=100"


def trained(simulation: OnPage) -> str:
    """Its sentence at the end of a run."""
    simulation.button("Train").click()
    simulation.wait_for_status("finished")
    return simulation.figure.locator(".live").inner_text()


@pytest.mark.exhaustive
def test_a_finished_race_shows_ranks_and_reasons(page: Page) -> None:
    page.goto(RACE)
    sentence = trained(OnPage(page, "arena").ready())
    assert "After 100 of 100 steps at depth 4, on the podium: 1. " in sentence
    assert re.search(r"1\. [^;]+ \(1 of 1 at step \d+\)", sentence)
    assert re.search(r"Not across the finish line: .+ \(\d+% wrong\)", sentence)
    winner = re.findall(r"1\. ([^;]+?) \(1 of 1", sentence)
    expect(page.locator('[data-value="arena.winner"]')).to_have_text(" and ".join(winner))


@pytest.mark.exhaustive
def test_a_worker_killed_during_a_race_changes_nothing_in_its_outcome(page: Page, server: Server) -> None:
    page.goto(RACE)
    race = OnPage(page, "arena").ready()
    undisturbed = trained(race)
    race.button("Restart").click()
    race.wait_for_status("ready")
    race.speed("A tenth")
    race.button("Train").click()
    race.wait_for_step(5)
    killed = workers(server)
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert race.step < 100
    race.speed("Full speed")
    race.wait_for_status("finished")
    assert race.figure.locator(".live").inner_text() == undisturbed
    assert not set(killed) & set(workers(server))


LENGTHS = """() => window.simulations.get('arena').kept.models.filter(model => model.type === 'ColumnDataSource')
    .map(source => [...new Set(source.columns().map(name => source.get_column(name).length))])"""


@pytest.mark.exhaustive
def test_a_race_that_is_being_run_again_gives_way_to_a_new_one(page: Page) -> None:
    page.goto(RACE)
    race = OnPage(page, "arena").ready()
    trained(race)
    page.reload()
    race.ready()
    race.menu()
    expect(race.button("Pause here")).to_be_visible()
    # The bar is at the step of the picture, and the sentence, which is about the end, waits.
    expect(race.figure.locator(".progress .count")).to_have_text(re.compile(r"step [1-9]?\d of 100"))
    expect(race.figure.locator(".live")).to_have_text("The race is run again from its records.")
    race.button("Pause here").click()
    expect(race.figure.locator(".progress .count")).to_have_text("step 100 of 100")
    expect(race.figure.locator(".live")).to_contain_text("After 100 of 100 steps")
    race.button("Run the race again").click()
    expect(race.button("Pause here")).to_be_visible()
    race.button("Restart").click()
    race.wait_for_status("ready")
    expect(race.button("Pause here")).to_have_count(0)
    assert all(len(series) == 1 for series in page.evaluate(LENGTHS))
    sentence = trained(race)
    assert "After 100 of 100 steps" in sentence
    assert all(len(series) == 1 for series in page.evaluate(LENGTHS))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("slug", "name", "settings", "outcome"),
    [
        (
            "arena",
            "sweep",
            "sweep.depth=4&sweep.seeds=1&sweep.field=norms",
            r"own rate: residual [\d.]+;.+every seed has finished",
        ),
        (
            "theories",
            "lesion",
            "lesion.depth=4&lesion.seeds=1&lesion.training_steps=300",
            r"After 300 .+ without a typical block .+ go wrong for .+",
        ),
    ],
)
def test_its_companions_show_a_result(page: Page, slug: str, name: str, settings: str, outcome: str) -> None:
    page.goto(f"{slug}?{settings}")
    assert re.search(outcome, trained(OnPage(page, name).ready()))


@pytest.mark.exhaustive
def test_on_a_telephone_nothing_is_wider_than_the_page(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server.url)
    page = context.new_page()
    faults = watch(page, server.url)
    page.goto(RACE)
    for name in ("arena", "sweep"):
        OnPage(page, name).ready()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()
    assert faults.left() == []
