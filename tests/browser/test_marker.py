"""A number that is predicted on the axis of its figure: by mouse, touch or keys, and typed."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE, Server

LINES = """anchor => {
  const {tag: {guessed}} = window.simulations.get(anchor).kept.tagged('guessed')[0]
  return [guessed.guess, guessed.truth].map(source => [...source.data.x])
}"""
"""Places of the lines that stay in the figure: the reader's, and the true one"""

SIDES = "element => [element.getBoundingClientRect().left, element.getBoundingClientRect().right]"


@pytest.fixture
def figure(page: Page) -> Locator:
    return opened(page)


def opened(page: Page) -> Locator:
    page.set_default_timeout(PATIENCE)
    page.goto("gradient-paths")
    figure = OnPage(page, "path_lengths").arrived().figure
    expect(handle(figure)).to_be_visible()
    return figure


def handle(figure: Locator) -> Locator:
    return figure.get_by_role("slider", name="Your answer: branches on the path")


def field(figure: Locator) -> Locator:
    return figure.get_by_role("spinbutton", name="Your number")


def at(figure: Locator, value: float) -> tuple[float, float]:
    """Return the place on the screen of a value on the axis, in the middle of the plot."""
    left, y = figure.evaluate(
        """(figure, value) => {
            const {marker} = figure.querySelector('.predict')
            const box = marker.svg.getBoundingClientRect()
            const {inner: {top, bottom}} = marker.frame
            return [box.left + marker.frame.x(value), box.top + (top + bottom) / 2]
        }""",
        value,
    )
    return left, y


def test_it_is_dragged_and_stays_beside_the_truth(figure: Locator) -> None:
    page = figure.page
    expect(handle(figure)).to_have_attribute("aria-valuetext", "not placed yet")
    expect(figure.get_by_role("button", name="This is my prediction")).to_be_disabled()
    handle(figure).hover()
    page.mouse.down()
    page.mouse.move(*at(figure, 16.2), steps=3)
    page.mouse.up()
    expect(field(figure)).to_have_value("16")
    expect(handle(figure)).to_have_attribute("aria-valuetext", "16 branches")
    figure.get_by_role("button", name="This is my prediction").click()
    expect(figure.locator(".yours")).to_have_text(
        "You said 16 branches; it is 9 branches. That is 1.8 times too large."
    )
    expect(handle(figure)).to_be_hidden()
    assert page.evaluate(LINES, "path_lengths") == [[16], [9]]
    page.reload()
    OnPage(page, "path_lengths").arrived()
    assert page.evaluate(LINES, "path_lengths") == [[16], [9]]


def test_a_number_on_a_vertical_axis_is_dragged_up_and_down(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto("matrices")
    figure = OnPage(page, "spectrum").arrived().figure
    slider = figure.get_by_role("slider", name="Your answer: directions")
    expect(slider).to_have_attribute("aria-orientation", "vertical")
    slider.hover()
    page.mouse.down()
    page.mouse.move(
        *figure.evaluate(
            """figure => {
                const {marker: {svg, frame}} = figure.querySelector('.predict')
                const {left, top} = svg.getBoundingClientRect()
                return [left + frame.inner.left + 20, top + frame.y(24)]
            }"""
        ),
        steps=3,
    )
    page.mouse.up()
    placed = float(field(figure).input_value())
    assert placed == pytest.approx(24, abs=0.5)
    slider.press("ArrowUp")
    assert float(field(figure).input_value()) == pytest.approx(placed + 0.31)
    figure.get_by_role("button", name="This is my prediction").click()
    expect(slider).to_be_hidden()
    lines = """() => {
      const {tag: {guessed}} = window.simulations.get('spectrum').kept.tagged('guessed')[0]
      return [guessed.guess, guessed.truth].map(source => source.data.y[0])
    }"""
    guess, truth = page.evaluate(lines)
    assert guess == pytest.approx(placed + 0.31)
    assert 1 < truth < 32


def assert_beside(figure: Locator) -> None:
    line, words = (figure.locator(f".guess-{part}").evaluate(SIDES) for part in ("line", "words"))
    assert words[1] < line[0] or line[1] < words[0]


def test_keys_move_it_and_its_words_are_beside_its_line(figure: Locator) -> None:
    assert_beside(figure)
    handle(figure).press("ArrowRight")
    expect(field(figure)).to_have_value("15")
    handle(figure).press("PageDown")
    handle(figure).press("ArrowLeft")
    expect(field(figure)).to_have_value("9")
    handle(figure).press("Home")
    expect(handle(figure)).to_have_attribute("aria-valuenow", "0")
    assert_beside(figure)
    field(figure).fill("54")
    assert_beside(figure)
    field(figure).fill("12")
    expect(handle(figure)).to_have_attribute("aria-valuetext", "12 branches")
    field(figure).fill("99")
    expect(handle(figure)).to_have_attribute("aria-valuetext", "not placed yet")
    expect(figure.get_by_role("button", name="This is my prediction")).to_be_disabled()


@pytest.mark.exhaustive
def test_a_reader_who_skips_sees_the_truth_alone(figure: Locator) -> None:
    figure.get_by_text("Skip and show").click()
    expect(handle(figure)).to_be_hidden()
    assert figure.page.evaluate(LINES, "path_lengths") == [[], [9]]


@pytest.mark.exhaustive
def test_a_tap_sets_it(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, base_url=server.url)
    figure = opened(context.new_page())
    handle(figure).scroll_into_view_if_needed()
    figure.page.touchscreen.tap(*at(figure, 9.1))
    expect(field(figure)).to_have_value("9")
    context.close()
