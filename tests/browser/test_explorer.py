"""Chapter 6: one click sets the bench, own points come from the pointer or the keyboard, and time runs back."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.tiers import first
from tools.figure_on_page import OnPage

QUICK = "explorer.depth=4&explorer.width=8&explorer.training_steps=200&explorer.compare=none"


MAP = """() => {
    const models = [...window.simulations.get('explorer').document._all_models.values()]
    const shown = models.filter(model => model.type === 'ColumnDataSource').map(model => model.get_column('image')?.[0])
    return Array.from(shown.find(Boolean)).join()
}"""
"""The bytes of the map that the page shows."""


MAPS, FED = "Answers over the plane", "Fed to the networks (click)"
"""Titles of two plots"""

BOX = """title => {
    const models = [...window.simulations.get('explorer').document._all_models.values()]
    const view = Bokeh.index.find_one(models.find(model => model.title?.text === title))
    view.el.scrollIntoView({block: 'center'})
    const {left, top, width, height} = view.el.getBoundingClientRect(), before = String(window.box)
    window.box = [left, top, width, height]
    return before === String(window.box) && window.box
}"""


def point(page: Page, title: str, across: float, along: float) -> tuple[float, float]:
    """The point of the window that many shares of a plot's width and height from its upper left corner.

    Figures that come near while it scrolls may still move what is below them, so the plot has to stand still.
    """
    left, top, width, height = page.wait_for_function(BOX, arg=title, polling=300).json_value()
    return left + across * width, top + along * height


def opened(page: Page, more: str) -> OnPage:
    """The explorer, with a network or with a sentence that says why there is none."""
    page.goto(f"explorer?{QUICK}&{more}")
    explorer = OnPage(page, "explorer")
    explorer.figure.scroll_into_view_if_needed()
    expect(explorer.figure.locator(".live")).not_to_be_empty()
    expect(explorer.figure.locator(".stage")).to_have_attribute("data-state", "ready")
    return explorer


def wait_for_setting(explorer: OnPage, name: str, value: str) -> None:
    explorer.page.wait_for_function(
        "([name, value]) => window.simulations.get('explorer').panel.live.values[name] === value", arg=[name, value]
    )


def test_a_preset_sets_the_controls_and_trains(page: Page) -> None:
    explorer = opened(page, "explorer.norm=batch")
    page.get_by_role("link", name="Plain, 8 layers").click()
    wait_for_setting(explorer, "depth", "8")
    explorer.wait_for_step(1)
    expected = {"skip": "none", "norm": "none", "seeds": "5", "seed": "100", "training_steps": "1200", "width": "32"}
    assert {name: explorer.setting(name) for name in expected} == expected
    expect(page).to_have_url(re.compile(r"explorer\.depth=8&.*explorer\.seeds=5"))


@pytest.mark.exhaustive
def test_a_row_keeps_its_outcome_back_until_its_run_has_ended(page: Page) -> None:
    opened(page, "explorer.training_steps=300")
    row = page.locator("tr", has=page.get_by_role("link", name="Plain, 8 layers"))
    expect(row.locator(".held")).to_have_js_property("open", False)
    row.locator("a.preset").click()
    expect(row.locator(".held")).to_have_js_property("open", True)
    other = page.locator("tr", has=page.get_by_role("link", name="Pre-LN without a skip"))
    expect(other.locator(".held")).to_have_js_property("open", False)
    other.locator("summary").click()
    expect(other.locator(".held")).to_contain_text("of 5")


@pytest.mark.exhaustive
def test_a_preset_is_a_link_that_works_by_itself(page: Page) -> None:
    opened(page, "")
    address = page.get_by_role("link", name="Plain, 8 layers").get_attribute("href")
    page.goto(f"explorer{address}")
    explorer = OnPage(page, "explorer").ready()
    assert (explorer.setting("depth"), explorer.setting("skip")) == ("8", "none")


@pytest.mark.parametrize(("pen", "after"), first(1, [("b", "a5050b"), ("erase", "")]))
def test_a_click_on_the_map_changes_the_points(page: Page, pen: str, after: str) -> None:
    explorer = opened(page, f"explorer.task=own&explorer.points=a5050&explorer.pen={pen}")
    expect(explorer.figure.locator(".live")).to_contain_text("points of two classes")
    page.mouse.click(*point(page, MAPS, 0.25, 0.58))
    page.wait_for_function("() => window.simulations.get('explorer').panel.live.values.points !== 'a5050'")
    assert explorer.setting("points").startswith(after)
    assert len(explorer.setting("points")) == (10 if pen == "b" else 0)


@pytest.mark.exhaustive
def test_points_can_be_typed(page: Page) -> None:
    explorer = opened(page, "explorer.task=own&explorer.points=a5050")
    explorer.menu()
    field = explorer.figure.get_by_label("Your own points")
    field.fill("a1010b9090c1090")
    field.press("Enter")
    wait_for_setting(explorer, "points", "a1010b9090c1090")
    explorer.wait_for_status("ready")
    explorer.button("Train").click()
    explorer.wait_for_status("finished")
    expect(explorer.figure.locator(".live")).to_contain_text("gets 0.0% of its training points wrong")


@pytest.mark.exhaustive
def test_choices_that_do_not_fit_are_refused_in_a_sentence_and_the_next_ones_train(page: Page) -> None:
    explorer = opened(page, "explorer.initialization=zero-last&explorer.unit=one-layer")
    live = explorer.figure.locator(".live")
    expect(live).to_contain_text("This cannot be trained: a one-layer branch that starts at zero stays there")
    page.evaluate("() => window.simulations.get('explorer').set('unit', 'two-layer')")
    expect(live).to_contain_text("Before the first step")


@pytest.mark.exhaustive
def test_rewinding_changes_the_map_and_not_the_run(page: Page) -> None:
    explorer = opened(page, "")
    explorer.button("Train").click()
    explorer.wait_for_status("finished")
    after = page.evaluate(MAP)
    explorer.menu()
    explorer.slider("Rewind").press("Home")
    page.wait_for_function(f"after => ({MAP})() !== after", arg=after)
    assert explorer.step == 200
    explorer.slider("Rewind").press("End")
    page.wait_for_function(f"after => ({MAP})() === after", arg=after)


@pytest.mark.exhaustive
def test_the_code_of_the_network_follows_the_settings_and_can_be_downloaded(page: Page) -> None:
    explorer = opened(page, "explorer.norm=batch")
    explorer.more("Train exactly this network in PyTorch").click()
    code = explorer.figure.locator(".listing code")
    expect(code).to_contain_text("class BatchNorm")
    page.evaluate("() => window.simulations.get('explorer').set('skip', 'highway')")
    expect(code).to_contain_text("class Highway")
    expect(code).not_to_contain_text("class Residual")
    with page.expect_download() as started:
        explorer.button("Download").click()
    assert started.value.suggested_filename == "explorer.py"
    text = started.value.path().read_text()
    license_line, content = text.split("\n", 1)
    assert license_line.startswith("# MIT License")
    assert content.strip("\n") == str(code.text_content()).strip("\n")
    compile(text, "download", "exec")


HARD = "a5050a4353a5655a5242b7750b7462b6771b5676b4476b3371b2662b2350b2638b3329b4424b5624b6729b7438"


@pytest.mark.exhaustive
def test_missions_are_completed_by_runs_stored_and_erased(page: Page) -> None:
    """Two missions of two runs: the second one counts only after the first, and with the same points."""

    def train(depth: str) -> None:
        page.evaluate("depth => window.simulations.get('explorer').set('depth', depth)", depth)
        wait_for_setting(explorer, "depth", depth)
        explorer.wait_for_status("ready")
        explorer.button("Train").click()
        explorer.wait_for_status("finished")

    def state(name: str) -> Locator:
        return page.locator(f"[data-mission={name}] .state")

    explorer = opened(page, f"explorer.task=own&explorer.points={HARD}&explorer.learning_rate=0.003&explorer.depth=8")
    expect(state("too-hard")).to_have_text("Not yet.")
    train("16")
    expect(state("learned")).to_have_text("Not yet. Do mission 7 first.")
    train("4")
    expect(state("too-hard")).to_have_text("Done. The run that did it")
    expect(page.locator("#explorer-missions .spoken")).to_have_text("Mission 7 done.")
    expect(state("learned")).to_have_text("Not yet.")
    train("16")
    expect(state("learned")).to_have_text("Done. The run that did it")
    page.reload()
    expect(state("learned")).to_have_text("Done. The run that did it")
    address = str(state("too-hard").get_by_role("link").get_attribute("href"))
    assert "explorer.depth=4&" in address
    with page.expect_download() as started:
        page.get_by_role("button", name="Export them").click()
    assert '"explorer.learned"' in started.value.path().read_text()
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        page.get_by_role("button", name="Erase them").click()
    expect(state("learned")).to_have_text("Not yet. Do mission 7 first.")


GLANCE = """() => {
    const models = [...window.simulations.get('explorer').document._all_models.values()]
    const figure = models.find(model => model.title?.text === 'Answers over the plane')
    return Bokeh.index.find_one(figure).shadow_el.querySelector('.inside')
}"""
"""What is shown under the pointer"""

COLORS = f"""() => {{
    const canvas = ({GLANCE})().querySelector('canvas')
    const paint = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return new Set(new Uint32Array(paint.data.buffer)).size
}}"""


@pytest.mark.exhaustive
def test_a_cell_under_the_pointer_shows_what_its_units_compute_without_a_session(page: Page) -> None:
    page.goto("explorer")
    explorer = OnPage(page, "explorer").ready()
    page.wait_for_function("() => window.simulations.get('explorer').players.length")

    def wait_for_words(pattern: str) -> None:
        page.wait_for_function(
            f"pattern => new RegExp(pattern).test(({GLANCE})()?.innerText ?? 'nothing')", arg=pattern
        )

    page.mouse.move(*point(page, MAPS, 0.2, 0.1))
    wait_for_words(r"Layer \d+ of 32\s+its first 4 units · gradient ")
    assert page.evaluate(COLORS) > 20
    page.mouse.move(*point(page, MAPS, 0.995, 0.1))
    wait_for_words("Layer 32 of 32\\s+its answers are the map")
    page.mouse.move(*point(page, MAPS, 0.2, 0.6))
    wait_for_words("^nothing$")
    assert explorer.figure.get_attribute("data-session") is None


@pytest.mark.exhaustive
def test_a_small_picture_feeds_the_networks_and_the_link_and_the_code_say_so(page: Page) -> None:
    explorer = opened(page, "")
    page.mouse.click(*point(page, FED, 0.122, 0.68))
    wait_for_setting(explorer, "feed_product", "yes")
    expect(page).to_have_url(re.compile(r"explorer\.feed_product=yes"))
    explorer.more("Train exactly this network in PyTorch").click()
    expect(explorer.figure.locator(".listing code")).to_contain_text("featured(spirals(), ['x1', 'x2', 'product'])")


@pytest.mark.exhaustive
def test_the_steps_of_the_first_minute_are_noticed_when_they_are_done(page: Page) -> None:
    """What needs a run counts for the reader's own run, and not for the kept one with which the page opens."""

    def done() -> list[str]:
        steps = page.locator("#explorer-first-minute li[data-done]")
        return [str(step.get_attribute("data-mission")) for step in steps.all()]

    def dispatch(is_kept: bool, settings: str, *steps: str) -> None:
        page.evaluate(
            """([kept, settings, first_minute]) => document.dispatchEvent(new CustomEvent('simulation', {detail: {
                id: 'explorer', simulation: {session: {chosen: {}}},
                live: {kept, results: {missions: '', first_minute, settings}}}}))""",
            [is_kept, settings, ",".join(steps)],
        )

    page.goto("explorer")
    dispatch(True, "depth=32", "train")
    assert done() == []
    dispatch(True, "depth=32&moment=0", "train", "rewind")
    assert done() == ["rewind"]
    dispatch(False, "depth=32", "train")
    assert done() == ["train", "rewind"]
    expect(page.locator("#explorer-first-minute .spoken")).to_have_text("Step 1 done.")
    expect(page.locator("[data-mission=train] .state")).to_have_text("Done")
    expect(page.locator("[data-mission=feed] .state")).to_be_empty()
    page.reload()
    expect(page.locator("[data-mission=train] .state")).to_have_text("Done")


@pytest.mark.exhaustive
def test_a_second_run_counts_only_where_it_differs_as_its_mission_requires(page: Page) -> None:
    """The page compares settings; runs that are told to it, without being trained, show every answer it gives."""
    page.goto("explorer")
    first = {"depth": "32", "skip": "none", "norm": "none", "learning_rate": "0.01", "seed": "0", "moment": "100"}

    def dispatch(mission: str, **changes: str) -> None:
        page.evaluate(
            """([missions, settings]) => document.dispatchEvent(new CustomEvent('simulation', {detail: {
                id: 'explorer', simulation: {session: {chosen: {}}},
                live: {results: {missions, settings: String(new URLSearchParams(settings))}}}}))""",
            [mission, {**first, **changes}],
        )

    state = page.locator("[data-mission=rescue] .state")
    dispatch("rescue", skip="rezero")
    expect(state).to_have_text("Not yet. Do mission 1 first.")
    dispatch("level")
    dispatch("rescue", seed="1")
    expect(state).to_have_text("Not yet. That run differs from that of mission 1 in what must stay: First seed.")
    dispatch("rescue", skip="additive", norm="batch")
    expect(state).to_have_text(
        "Not yet. That run differs from that of mission 1 in 2 controls: Skip connection, Normalization."
    )
    dispatch("rescue", learning_rate="0.003", moment="40")
    expect(state).to_have_text("Done. The run that did it")
