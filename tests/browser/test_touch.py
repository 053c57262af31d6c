"""Fingers on pictures and sliders: they scroll the page, drag sideways, and drag anywhere once they have rested."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, FloatRect, Locator, Page

from tools.figure_on_page import OnPage
from tools.local_server import Server


class Finger:
    """A finger on the screen of a phone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, when: float, *at: float) -> None:
        points: list[dict[str, Any]] = [{"x": at[0], "y": at[1]}] if at else []
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": when})

    def drag(self, at: tuple[float, float], by: tuple[float, float], rest: int = 0) -> None:
        """Touch this point, rest there for some milliseconds, and move by so many pixels in steps. The events say when
        they were, since a finger on its way rests nowhere, however busy the machine."""
        began = time.time()
        self.touch("touchStart", began, *at)
        if rest:
            self.page.evaluate("rest => new Promise(done => setTimeout(done, rest))", rest)
        for part in range(1, 13):
            when = began + rest / 1000 + part / 60
            self.touch("touchMove", when, at[0] + by[0] * part / 12, at[1] + by[1] * part / 12)
            self.page.evaluate("new Promise(requestAnimationFrame)")
        self.touch("touchEnd", began + rest / 1000 + 13 / 60)


@pytest.fixture(scope="module")
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """The page with the errors by depth; all tests touch the same one. It has its session, since a page that is busy
    with one may take a finger on its way for one that rests."""
    context = browser.new_context(
        base_url=server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("degradation?degradation.depth=20&v=2")
    OnPage(page, "degradation").ready().connected()
    yield page
    context.close()


def centered(target: Locator) -> FloatRect:
    """Scroll to what a finger will touch, and return its box once it rests: a page that an earlier finger has pushed
    goes on for a while, and a handle is on its way to a new value."""
    target.evaluate(
        """async target => {
            target.scrollIntoView({block: 'center', behavior: 'instant'})
            let place = '', frames = 0
            while (frames < 15) {
                await new Promise(requestAnimationFrame)
                const {x, y} = target.getBoundingClientRect()
                frames = place === `${x} ${y}` ? frames + 1 : 0
                place = `${x} ${y}`
            }
        }"""
    )
    box = target.bounding_box()
    assert box
    return box


def depth(page: Page) -> int:
    value: int = page.evaluate("+simulations.get('degradation').live.values.depth")
    return value


@pytest.fixture
def by_depth(phone: Page) -> tuple[Page, tuple[float, float]]:
    """The page at a depth of 20, and a point in its picture right of that depth."""
    if depth(phone) != 20:
        phone.evaluate("simulations.get('degradation').set('depth', '20')")
        phone.wait_for_function("() => +simulations.get('degradation').live.values.depth === 20")
    picture = OnPage(phone, "degradation").figure.locator(".stage .bk-events:visible").first
    box = centered(picture)
    return phone, (box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)


def test_a_finger_that_scrolls_changes_no_figure(by_depth: tuple[Page, tuple[float, float]]) -> None:
    page, point = by_depth
    before = page.evaluate("scrollY")
    Finger(page).drag(point, (-8, -150))
    page.wait_for_function("before => scrollY > before + 50", arg=before)
    assert depth(page) == 20


@pytest.mark.parametrize(("by", "rest"), [((-100, 0), 0), ((-100, -40), 500)], ids=["sideways", "rested"])
def test_a_finger_drags(by_depth: tuple[Page, tuple[float, float]], by: tuple[float, float], rest: int) -> None:
    page, point = by_depth
    before = page.evaluate("scrollY")
    Finger(page).drag(point, by, rest)
    # Where the finger began, there are 64 layers.
    page.wait_for_function("() => +simulations.get('degradation').live.values.depth === 44")
    assert page.evaluate("scrollY") == before


@pytest.fixture
def slider(by_depth: tuple[Page, tuple[float, float]]) -> tuple[Page, tuple[float, float], float]:
    """The page, the middle of the handle of the depth's slider, and the length of that slider."""
    page, _ = by_depth
    handle = page.locator("[data-simulation=degradation] .noUi-handle:visible").first
    box = centered(handle)
    length: float = handle.evaluate("handle => handle.closest('.noUi-base').clientWidth")
    return page, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), length


@pytest.mark.parametrize("beside", [0, 60], ids=["handle", "line"])
def test_a_finger_that_scrolls_moves_no_slider(slider: tuple[Page, tuple[float, float], float], beside: float) -> None:
    page, (x, y), _ = slider
    before = page.evaluate("scrollY")
    Finger(page).drag((x + beside, y), (-8, -150))
    page.wait_for_function("before => scrollY > before + 50", arg=before)
    assert depth(page) == 20


def test_a_finger_moves_a_slider(slider: tuple[Page, tuple[float, float], float]) -> None:
    page, point, length = slider
    before = page.evaluate("scrollY")
    Finger(page).drag(point, (length / 4, -20))
    page.wait_for_function("() => simulations.get('degradation').live.values.depth > 20")
    assert page.evaluate("scrollY") == before


def test_a_tap_sets_a_slider(slider: tuple[Page, tuple[float, float], float]) -> None:
    page, (x, y), length = slider
    page.touchscreen.tap(x + length / 4, y)
    page.wait_for_function("() => simulations.get('degradation').live.values.depth > 20")
