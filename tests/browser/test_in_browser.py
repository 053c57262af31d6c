"""Where a server lets the page compute, or nobody can: figures of chapter 0 learn and answer in the reader's own
browser."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from sims.simulations.depth.degradation import Degradation
from sims.simulations.depth.tower import Tower
from sims.simulations.language_models.language import Language
from sims.simulations.language_models.language_tower import LanguageTower
from tests.browser.reader import unseen
from tests.browser.test_training import ALONE
from tests.engines.wasm.modules import modules
from tools.figure_on_page import OnPage

QUICKEST = f"{ALONE}&seed=7777&learning_rate=0.002&v=2"
HERE = json.dumps({"token": "", "refused": "", "here": True})


def alone(page: Page) -> None:
    """Let the server tell able pages to compute by themselves."""
    modules()

    def answer(route: Route) -> None:
        if "able=yes" in route.request.url:
            route.fulfill(body=HERE, content_type="application/json")
        else:
            route.continue_()

    page.route("**/open?*", answer)


def here(page: Page, address: str = QUICKEST, figure: str = "degradation") -> OnPage:
    """Open a figure with settings that no other test asks for, where the server tells able pages to train."""
    alone(page)
    page.goto(address)
    return OnPage(page, figure).ready()


def changed(page: Page, code: str) -> None:
    """Let the threads of a page begin with this code."""

    def before(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{code}\n{answer.text()}")

    page.route("**/training/threads/worker.js", before)


def by_python() -> str:
    """What Python says of the same run."""
    quick = Degradation(depth=8, training_steps=200, seeds=2, width=16, seed=7777, learning_rate=0.002)
    return quick.describe(quick.frame(quick.advance(quick.start(), 200)))


def test_a_page_trains_to_the_end_that_python_has(page: Page) -> None:
    figure = here(page)
    assert figure.step == 0
    figure.button("Train").click()
    figure.wait_for_status("finished")
    assert figure.step == 200
    expect(figure.figure.locator(".live")).to_have_text(by_python())
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("in your browser")
    expect(figure.figure.locator(".listing")).to_be_hidden()


@pytest.mark.exhaustive
def test_threads_share_the_networks_of_a_figure(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'hardwareConcurrency', {value: 3})")
    figure = here(page)
    figure.button("Train").click()
    figure.wait_for_status("finished")
    assert len(page.workers) == 2
    expect(figure.figure.locator(".live")).to_have_text(by_python())


@pytest.mark.exhaustive
def test_it_pauses_steps_restarts_and_takes_another_seed(page: Page) -> None:
    figure = here(page)
    figure.button("Step").click()
    figure.wait_for_step(1)
    figure.wait_for_status("paused")
    assert figure.step == 1
    figure.speed("A tenth")
    figure.button("Train").click()
    figure.wait_for_step(5)
    figure.button("Pause").click()
    figure.wait_for_status("paused")
    assert figure.step < 200
    figure.button("Restart").click()
    expect(figure.figure.locator(".count")).to_have_text("step 0 of 200")
    figure.button("New seed").click()
    page.wait_for_url("**seed=7778**")
    figure.slider("Depth").press("ArrowRight")
    expect(figure.figure.locator(".live")).to_contain_text("at depth 10")


@pytest.mark.exhaustive
def test_a_run_that_was_under_way_is_at_its_step_after_a_reload(page: Page) -> None:
    figure = here(page)
    figure.speed("A tenth")
    figure.button("Train").click()
    figure.wait_for_step(20)
    figure.button("Pause").click()
    figure.wait_for_status("paused")
    reached = figure.step
    said = figure.figure.locator(".live").inner_text()
    page.reload()
    expect(figure.figure.locator(".notes")).to_contain_text(f"The page was left at step {reached} of this run")
    expect(figure.figure.locator(".live")).to_have_text(said)
    figure.wait_for_status("paused")
    assert figure.step == reached
    assert figure.figure.locator(".progress input").is_enabled()
    figure.button("Train").click()
    figure.wait_for_status("finished")
    expect(figure.figure.locator(".live")).to_have_text(by_python())
    page.reload()
    figure.ready()
    expect(figure.figure.locator(".notes")).to_be_hidden()


@pytest.mark.exhaustive
def test_a_run_can_be_downloaded(page: Page) -> None:
    figure = here(page)
    figure.button("Step").click()
    figure.wait_for_step(1)
    with page.expect_download() as file:
        figure.more("JSON").click()
    taken = json.loads(file.value.path().read_text())
    assert taken["step"] == 1
    assert len(taken["quantities"]["plain_gradients"]["values"]) == 8
    figure.more("The numbers as a table").click()
    expect(figure.figure.locator(".table .rows table")).to_have_count(2)


def test_a_language_model_writes_with_an_engine_of_its_own(page: Page) -> None:
    figure = here(page, "embed/language?blocks=1&seed=7777&prompt=A+plus+sign&v=2", "language")
    models = Language(blocks=1, seed=7777, prompt="A plus sign")
    expect(figure.figure.locator(".live")).to_have_text(models.describe(models.frame(models.start())))
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("in your browser")


@pytest.mark.exhaustive
def test_where_a_browser_cannot_the_server_trains(page: Page) -> None:
    changed(page, "WebAssembly.Memory = class { constructor() { throw new RangeError('no') } }")
    figure = here(page)
    expect(figure.figure.locator(".notes")).to_have_text(
        "This browser gives no memory for a network. The server does it instead."
    )
    expect(figure.figure).to_have_attribute("data-session", "live")
    figure.button("Train").click()
    figure.wait_for_status("finished")
    expect(figure.figure.locator(".live")).to_have_text(by_python())
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("on this server")


@pytest.mark.exhaustive
def test_where_the_code_does_not_arrive_the_server_trains(page: Page) -> None:
    page.route("**/perceptrons-fused.wasm", lambda route: route.abort())
    page.faults.expected = ("ERR_FAILED",)  # type: ignore[attr-defined]
    figure = here(page)
    expect(figure.figure.locator(".notes")).to_contain_text("Failed to fetch. The server does it instead.")
    figure.button("Step").click()
    figure.wait_for_step(1)
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("on this server")


@pytest.mark.exhaustive
def test_where_a_browser_is_slow_the_server_trains(page: Page) -> None:
    changed(page, "const now = performance.now.bind(performance); performance.now = () => 1000 * now()")
    figure = here(page, unseen(ALONE, "degradation"))
    figure.button("Train").click()
    expect(figure.figure.locator(".notes")).to_contain_text("minutes for the whole run. The server does it instead.")
    figure.wait_for_step(1)
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("on this server")


def test_a_page_calculates_what_python_does(page: Page) -> None:
    alone(page)
    page.goto("embed/tower?cut=2&seed=7&blocks=10&v=2")
    figure = OnPage(page, "machine").ready()
    said = figure.figure.locator(".live")
    for cut in ("2", "2, 5-7"):
        text = figure.figure.get_by_label("Blocks without a plus sign")
        text.fill(cut)
        text.press("Enter")
        tower = Tower(cut=cut, seed=7, blocks=10)
        expect(said).to_have_text(tower.describe(tower.compute()))
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("in your browser")
    with page.expect_download() as file:
        figure.more("CSV").click()
    assert file.value.suggested_filename == "tower-cut-2, 5-7-blocks-10-seed-7.csv"


@pytest.mark.exhaustive
def test_a_calculation_may_call_compiled_code(page: Page) -> None:
    alone(page)
    page.goto("language?language_tower.cut=3&language_tower.seed=7&language_tower.blocks=2&v=2")
    figure = OnPage(page, "language_tower").ready()
    for cut in ("3", "2-3"):
        text = figure.figure.get_by_label("Branches without a plus sign")
        text.fill(cut)
        text.press("Enter")
        tower = LanguageTower(cut=cut, seed=7, blocks=2)
        expect(figure.figure.locator(".live")).to_have_text(tower.describe(tower.compute()))
    expect(figure.figure.locator("[data-disclosure=computed]")).to_contain_text("in your browser")
