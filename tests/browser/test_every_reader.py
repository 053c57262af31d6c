"""Every page with all that is on it: for eyes, ears, keys and systems of every kind."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.browser.reader import violations
from tests.browser.test_reading import PAGES
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server

OPEN = "for (const fold of document.querySelectorAll('details')) fold.open = true"

OFTEN = ["experiment", "claims"]
"""Pages of every kind, which are looked at in each run"""

LOOKS = [("light", 1280), ("dark", 390)]
"""In the second one, which is exhaustive, every figure has a session as well."""

NARROWEST = 320
"""Pixels of a window of 1280 at 400%"""


def with_everything_open(page: Page, path: str) -> list[OnPage]:
    """A page with all its folds open and a picture in every figure."""
    page.goto(path)
    page.evaluate(OPEN)
    names = page.locator("figure.simulation").evaluate_all("all => all.map(figure => figure.id)")
    figures = [OnPage(page, name).ready() for name in names]
    page.evaluate(OPEN)
    return figures


@pytest.mark.parametrize(("scheme", "width"), first(1, LOOKS))
@pytest.mark.parametrize("path", first(len(OFTEN), [*OFTEN, *(path for path in PAGES if path not in OFTEN)]))
def test_everything_on_a_page_passes_axe_and_fits(
    browser: Browser, server: Server, path: str, scheme: str, width: int
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, base_url=server.url, has_touch=width < 500
    )
    page = context.new_page()
    faults = watch(page, server.url)
    figures = with_everything_open(page, path)
    if scheme == "dark":
        for figure in figures:
            figure.connected()
            expect(figure.figure.locator("details.table th").first).to_be_visible()
    assert violations(page) == []
    expect(page.locator("h1")).to_have_count(1)
    page.set_viewport_size({"width": width // 2 if width > 500 else NARROWEST, "height": 640})
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    assert faults.left() == []
    context.close()


STOP = """() => {
    const outer = document.activeElement
    let at = outer
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    if (at === document.body) return null
    const before = window.stopBefore
    window.stopBefore = outer
    const handle = at.matches('.handle')
    const style = getComputedStyle(handle ? at.querySelector('.reach') : at)
    const [width, color] = handle ? [style.strokeWidth, style.stroke] : [style.outlineWidth, style.outlineColor]
    const named = at.ariaLabel || at.labels?.[0]?.textContent || at.textContent || at.value
    const after = before?.compareDocumentPosition(outer) & Node.DOCUMENT_POSITION_FOLLOWING
    return {
        html: at.outerHTML.slice(0, 200),
        name: (named || at.querySelector('[aria-label]')?.ariaLabel || '').trim(),
        ring: [Math.floor(parseFloat(width)), color],
        seen: handle || style.outlineStyle === 'solid',
        onward: !before || before === outer || Boolean(after),
    }
}"""
"""What has the focus: its name, how that is shown, and whether it comes after the stop before"""


def stops(page: Page) -> Iterator[dict[str, Any]]:
    """Every stop of the Tab key, from the beginning of a page to its end."""
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    for _ in range(600):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            return
        yield stop
    raise AssertionError("the focus never leaves the page")


@pytest.mark.exhaustive
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_reader_goes_through_a_whole_page_by_tab(browser: Browser, server: Server, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, base_url=server.url, reduced_motion="reduce"
    )
    page = context.new_page()
    for simulation in with_everything_open(page, "shortcut"):
        simulation.connected()
    tab_stops = list(stops(page))
    assert len(tab_stops) > 100
    assert [stop["html"] for stop in tab_stops if not stop["name"]] == []
    assert [stop["html"] for stop in tab_stops if not stop["onward"]] == []
    assert [stop["html"] for stop in tab_stops if not stop["seen"] or stop["ring"] != tab_stops[-1]["ring"]] == []
    context.close()


SAID = """handle => `${handle.ariaLabel}: ${handle.ariaValueText}`"""
SHOWN = """handle => handle.getRootNode().querySelector('.bk-slider-title').textContent"""


def test_a_slider_says_what_is_above_it(page: Page) -> None:
    page.goto("embed/lesion")
    lesion = OnPage(page, "lesion").ready()
    lesion.menu()
    for name in ("Block knocked out (0: none)", "Learning rate"):
        slider = lesion.slider(name)
        slider.press("ArrowRight")
        page.wait_for_function(f"handle => ({SAID})(handle) === ({SHOWN})(handle)", arg=slider.element_handle())


ANNOUNCED = """() => {
    const announced = [], line = {set textContent(text) { announced.push(text) }}
    const panel = Object.create(Object.getPrototypeOf(window.simulations.get('degradation').panel))
    Object.assign(panel, {spoken: -1e9, find: () => line})
    const hears = live => { panel.live = live; panel.speak(live) }
    const {setTimeout, clearTimeout} = window, {now} = performance
    let time = 0, waiting = null
    performance.now = () => time
    window.setTimeout = work => { waiting = work; return 1 }
    window.clearTimeout = () => { waiting = null }
    const run = {status: 'running', steps: 1e9}
    for (; time <= 12_000; time += 100) hears({...run, step: time, description: time / 1000})
    for (const description of ['dragged', 'farther', 'to here']) hears({status: 'ready', description})
    waiting()
    waiting()
    Object.assign(performance, {now})
    Object.assign(window, {setTimeout, clearTimeout})
    return announced
}"""
"""What a listening reader hears while twelve seconds of a run go by, and while something is dragged after it; then
nothing is left of it"""


def test_a_run_is_announced_every_five_seconds_and_a_drag_at_its_end(page: Page) -> None:
    page.goto("embed/degradation")
    OnPage(page, "degradation").ready()
    assert page.evaluate(ANNOUNCED) == [0, 5, 10, "to here", ""]


TRIANGLE = """button => {
    const triangle = getComputedStyle(button, '::before')
    const alpha = color => Number(color.match(/rgba\\(.*, (.*)\\)/)?.[1] ?? 1)
    return {
        transparent: [alpha(triangle.borderTopColor), alpha(triangle.borderBottomColor)],
        point: triangle.borderLeftColor,
        ground: getComputedStyle(button).backgroundColor,
    }
}"""
"""The colors of the triangle that marks what begins a run"""


def test_a_system_that_gives_the_colors_leaves_pictures_and_what_is_pressed(browser: Browser, server: Server) -> None:
    context = browser.new_context(forced_colors="active", base_url=server.url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto("degradation")
    simulation = OnPage(page, "failures").ready()
    grounds = simulation.figure.locator(".bk-btn-group", has_text="Plain").first.evaluate(
        "group => [...group.children].map(option => getComputedStyle(option).backgroundColor)"
    )
    assert len(set(grounds)) == 2
    handle = simulation.figure.locator(".noUi-handle").first
    track = simulation.figure.locator(".noUi-target").first
    colors = [part.evaluate("element => getComputedStyle(element).backgroundColor") for part in (handle, track)]
    assert len(set(colors)) == 2
    adjusted = "element => getComputedStyle(element).forcedColorAdjust"
    assert simulation.figure.locator(".stage-figures").first.evaluate(adjusted) == "none"
    train = OnPage(page, "degradation").ready().button("Train")
    sides = train.evaluate(TRIANGLE)
    assert [alpha == 0 for alpha in sides["transparent"]] == [True, True]
    assert sides["point"] not in (sides["ground"], "rgba(0, 0, 0, 0)")
    context.close()


@pytest.mark.exhaustive
def test_a_race_can_be_stopped_and_run_again_without_a_pointer(page: Page) -> None:
    page.goto("arena")
    race = OnPage(page, "arena").ready()
    race.menu()
    race.figure.locator(".stage canvas").first.scroll_into_view_if_needed()
    button = race.figure.get_by_role("button", name=re.compile("^(Run the race again|Pause here)$"))
    expect(button).to_have_accessible_name("Pause here")
    button.press("Enter")
    expect(button).to_have_accessible_name("Run the race again")
    button.press("Enter")
    expect(button).to_have_accessible_name("Pause here")
