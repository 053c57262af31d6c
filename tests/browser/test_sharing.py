"""State in the URL, and what a reader takes home."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from sims.contract.parameters import control_names
from sims.simulations.depth.degradation import Degradation
from tests.browser.reader import Witness, violations
from tests.tiers import first
from tools.figure_on_page import OnPage

LINK = "degradation?degradation.width=16&degradation.seeds=1"


@pytest.fixture
def simulation(page: Page) -> OnPage:
    page.goto(LINK)
    return OnPage(page, "degradation").ready()


def test_a_slider_moves_the_url_which_has_only_what_differs_and_moves_the_slider(
    page: Page, simulation: OnPage
) -> None:
    simulation.slider("Depth").press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"degradation\.depth=54.*&v=2"))
    page.reload()
    assert simulation.ready().setting("depth") == "54"
    expect(simulation.slider("Depth")).to_have_attribute("aria-valuetext", "54")
    simulation.slider("Depth").press("ArrowRight")
    expect(page).not_to_have_url(re.compile(r"depth="))
    expect(page).to_have_url(re.compile(r"width=16"))


STREAM = """async () => {
    const script = performance.getEntriesByType('resource').find(file => /\\/address\\b[^/]*\\.js/.test(file.name)).name
    const address = await import(script)
    let writes = 0
    while (!location.search.includes('degradation.depth=54') && writes < 200) {
        address.write('degradation', {depth: '54', width: '16'})
        writes += 1
        await new Promise(done => setTimeout(done, 20))
    }
    return writes
}"""
"""Settings written every 20 milliseconds, as a training run does, until the address has them"""


@pytest.mark.exhaustive
def test_a_stream_of_pictures_does_not_hold_the_address_back(page: Page, simulation: OnPage) -> None:
    assert page.evaluate(STREAM) < 200


@pytest.mark.exhaustive
def test_back_returns_to_the_state_that_was_left(page: Page, simulation: OnPage) -> None:
    simulation.slider("Depth").press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"depth=54"))
    page.goto("glossary")
    page.go_back()
    assert OnPage(page, "degradation").ready().setting("depth") == "54"


@pytest.mark.exhaustive
def test_reset_goes_back_to_what_the_page_was_written_with(page: Page, simulation: OnPage) -> None:
    simulation.slider("Depth").press("Home")
    expect(page).to_have_url(re.compile(r"depth=2"))
    simulation.more("Reset").click()
    expect(page).not_to_have_url(re.compile(r"degradation\."))
    assert simulation.setting("depth") == "56"
    assert simulation.setting("width") == "48"


@pytest.mark.exhaustive
def test_the_copied_link_opens_the_same_state(page: Page, simulation: OnPage) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    simulation.slider("Depth").press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"depth=54"))
    share = Witness(simulation.figure.locator("[data-do=share]"), "element.textContent")
    simulation.more("Share link").click()
    share.wait_for("Share link", "Link copied", "Share link")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#degradation")
    other = page.context.new_page()
    other.goto(link)
    opened = OnPage(other, "degradation").ready()
    assert (opened.setting("depth"), opened.setting("width")) == ("54", "16")


AT_REST = """async name => {
  await document.fonts.ready
  const top = () => document.getElementById(name).getBoundingClientRect().top
  for (let same = 0, before = NaN; same < 30;) {
    await new Promise(requestAnimationFrame)
    const now = top()
    same = now === before ? same + 1 : 0
    before = now
  }
  return top()
}"""
"""Top of a figure in the window, once it has not moved for half a second"""


@pytest.mark.parametrize("width", first(1, [1280, 390]))
@pytest.mark.parametrize("path", first(1, ["degradation", "gradient-paths", "connectivity", "arena"]))
def test_a_link_opens_at_what_it_names_below_a_prediction_that_is_drawn(page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(path)
    board = page.locator(".drawing-board:not([data-rows])").first
    names = board.evaluate(
        """board => [...document.querySelectorAll('figure.simulation')]
            .filter(figure => board.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING)
            .filter(figure => figure.checkVisibility())
            .map(figure => figure.id)"""
    )
    page.goto("about:blank")
    page.goto(f"{path}#{names[0]}")
    expect(board.locator("svg")).to_be_attached()
    assert 0 <= page.evaluate(AT_REST, names[0]) <= 60


@pytest.mark.exhaustive
def test_a_link_of_the_first_version_shows_what_it_showed_then(page: Page) -> None:
    """The figure began with BatchNorm and momentum then, which no link of its own said."""
    page.goto("degradation?degradation.depth=20&degradation.learning_rate=0.02&v=1")
    simulation = OnPage(page, "degradation").ready()
    expect(simulation.figure.locator(".notes")).to_contain_text("from another version of the site (v=1)")
    settings = {name: simulation.setting(name) for name in ("depth", "learning_rate", "norm", "optimizer", "width")}
    assert settings == {"depth": "20", "learning_rate": "0.02", "norm": "batch", "optimizer": "momentum", "width": "48"}
    expect(page).to_have_url(re.compile(r"norm=batch.*&v=2"))
    page.reload()
    assert simulation.ready().setting("norm") == "batch"
    expect(simulation.figure.locator(".notes")).to_be_hidden()


def test_the_data_table_and_the_downloads_hold_the_numbers(page: Page, simulation: OnPage, tmp_path: Path) -> None:
    simulation.more("The numbers as a table").click()
    expect(simulation.figure.locator("details.table thead").first).to_contain_text("training step [steps]")
    files = {}
    for name in ("CSV", "JSON", "NPZ"):
        with page.expect_download(lambda file, name=name: file.suggested_filename.endswith(name.lower())) as download:
            simulation.more(name).click()
        files[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[name])
    rows = list(csv.reader(io.StringIO(files["CSV"].read_text())))
    assert rows[0][0].startswith("# The same layers")
    assert any("plain: training error, median of the seeds [share of wrong answers]" in row for row in rows)
    assert json.loads(files["JSON"].read_text())["steps"] == 600
    with np.load(files["NPZ"]) as archive:
        assert json.loads(archive["about"].item())["steps"] == 600


@pytest.mark.exhaustive
@pytest.mark.parametrize("driven", first(1, [True, False]), ids=["by a session", "from the shelf"])
def test_an_open_table_follows_its_picture_and_is_reached_by_keyboard(page: Page, driven: bool) -> None:
    page.goto("gradient-paths")
    floor = OnPage(page, "gradient_floor").ready()
    if driven:
        floor.connected()
    floor.more("The numbers as a table").click()
    rows = floor.figure.locator(".table .rows")
    expect(rows).to_have_attribute("tabindex", "0")
    assert violations(page) == []
    before, gain = rows.inner_text(), floor.slider("Gain of every branch")
    gain.press("ArrowRight")
    expect(rows).not_to_have_text(before, use_inner_text=True)
    gain.press("ArrowLeft")
    expect(rows).to_have_text(before, use_inner_text=True)


@pytest.mark.exhaustive
def test_the_command_line_is_shown_as_it_would_be_typed(simulation: OnPage) -> None:
    expect(simulation.figure.locator(".command code")).to_have_text(
        "python -m sims degradation --depth 56 --width 16 --seeds 1"
    )


@pytest.mark.exhaustive
def test_a_number_in_the_sentence_is_the_same_parameter(page: Page, simulation: OnPage) -> None:
    knob = page.locator("[data-knob='degradation.depth']").first
    expect(knob).to_contain_text("56")
    knob.focus()
    knob.press("ArrowDown")
    expect(knob).to_contain_text("54")
    expect(page).to_have_url(re.compile(r"depth=54"))
    assert simulation.setting("depth") == "54"


@pytest.mark.exhaustive
def test_presenting_fills_the_window_and_escape_ends_it(page: Page, simulation: OnPage) -> None:
    def size() -> tuple[float, float]:
        box = simulation.figure.bounding_box()
        assert box
        return box["width"], box["height"]

    wide, _ = size()
    simulation.more("Present").click()
    expect(page).to_have_url(re.compile("present=degradation"))
    presented, height = size()
    assert presented > wide
    assert height >= 900
    page.reload()
    simulation.ready()
    assert size()[0] == presented
    page.keyboard.press("Control+ArrowRight")  # not the next figure: with such a key, it belongs to the browser
    assert size()[0] == presented
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("present"))
    assert size()[0] == wide


def test_whoever_presents_by_keyboard_stays_in_the_figure_and_returns_to_its_button(page: Page) -> None:
    page.goto("degradation")
    simulation = OnPage(page, "degradation").ready()
    button = simulation.more("Present")
    button.press("Enter")
    expect(simulation.figure).to_be_focused()
    inside, back = "figure => figure.contains(document.activeElement)", simulation.figure.locator("> .back")
    while not back.evaluate("button => button === document.activeElement"):
        page.keyboard.press("Tab")
        assert simulation.figure.evaluate(inside)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    assert page.locator("main :not(.host)[inert], body > [inert]").count() == 0


LETTERS = """() => Math.min(...[...window.simulations.get('degradation').document._all_models.values()]
    .filter(model => model.type === 'Text' && model.text.field === 'text')
    .map(text => parseFloat(text.text_font_size.value)))"""
BORDER = """() => Math.max(...[...window.simulations.get('degradation').document._all_models.values()].map(
    model => model.min_border_right ?? 0))"""


def test_words_of_a_presented_picture_grow_with_the_screen(page: Page) -> None:
    """On a screen with fewer pixels, larger words would not fit between the rows of a picture."""
    page.add_init_script("localStorage.reveal = 'yes'")
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("degradation?present=degradation")
        expect(page.locator(".presented .stage")).to_have_attribute("data-state", "ready")
        page.wait_for_function(f"larger => Math.abs(({LETTERS})() - 13 * larger) < 0.1", arg=height / 720)
        # What is at the ends of the lines has room.
        page.wait_for_function(f"larger => Math.abs(({BORDER})() - 104 * larger) < 1", arg=height / 720)


def test_a_phone_is_no_projector(page: Page) -> None:
    """In the type of a projector its figures would be cut off."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("degradation?present=p-curve")
    training = OnPage(page, "degradation")
    expect(training.figure).to_be_in_viewport()
    expect(page.locator(".presented")).to_have_count(0)
    expect(training.more("Share link")).to_be_visible()
    expect(training.more("Present")).to_be_hidden()


def test_neither_is_a_phone_that_is_turned(page: Page) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto("degradation?present=p-curve")
    training = OnPage(page, "degradation").arrived()
    expect(page.locator(".presented")).to_have_count(0)
    expect(training.figure).to_be_in_viewport()
    training.more("Present").click()
    expect(training.figure).to_contain_class("presented")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".presented")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("present"))
    expect(training.figure).to_be_in_viewport()


@pytest.mark.exhaustive
def test_every_control_is_on_the_page(simulation: OnPage) -> None:
    simulation.menu()
    for name in control_names(Degradation):
        label = Degradation.param[name].label
        expect(
            simulation.figure.locator(".stage").get_by_text(re.compile(f"^{re.escape(label)}")).first
        ).to_be_visible()
