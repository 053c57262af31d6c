"""The home page lives above its fold: a trained network plays by itself, with one slider, for who likes motion."""

import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.pages import assets
from tests.browser.conftest import Server, watch
from tests.browser.reader import OnPage

SIZES = {"laptop": (1280, 800), "phone": (390, 844)}
MOMENT = "() => window.simulations.get('passage').players[0]?.moment"
LOWEST = """() => {
    const [player] = window.simulations.get('passage').players
    return player.element.getBoundingClientRect().bottom
}"""
"""Where the picture ends"""


@pytest.fixture
def opened(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Open the home page and touch nothing."""
    contexts, faults = [], []

    def open_page(size: str, **options: Any) -> Page:
        width, height = SIZES[size]
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(base_url=server.url, viewport=viewport, **options))
        page = contexts[-1].new_page()
        faults.append(watch(page, server.url))
        page.goto("")
        expect(page.locator("#passage .stage")).to_have_attribute("data-state", "ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [left for each in faults for left in each.left()] == []


@pytest.mark.parametrize("size", SIZES)
def test_a_trained_network_plays_above_the_fold_with_one_slider(size: str, opened: Callable[..., Page]) -> None:
    page = opened(size)
    page.wait_for_function(f"() => ({MOMENT})() > 1")
    assert page.evaluate("scrollY") == 0
    _width, height = SIZES[size]
    assert page.evaluate(LOWEST) <= height
    slider = page.locator("#passage").get_by_role("slider")
    assert slider.count() == 1
    box = slider.bounding_box()
    assert box
    assert box["y"] + box["height"] <= height
    assert "After 600 of 600 steps" in page.locator("#passage .live").inner_text()


def test_it_stands_still_for_those_who_want_stillness(opened: Callable[..., Page]) -> None:
    page = opened("laptop", reduced_motion="reduce")
    page.wait_for_function("() => window.simulations.get('passage').players.length")
    page.locator("#passage canvas").first.wait_for()
    assert page.evaluate(MOMENT) is None


def test_the_slider_stops_the_points_behind_a_block(opened: Callable[..., Page]) -> None:
    page = opened("laptop", reduced_motion="reduce")
    passage = OnPage(page, "passage").ready()
    passage.slider("Blocks passed").press("ArrowLeft")
    expect(passage.figure.locator(".live")).to_contain_text("behind block 7 of 8")


def test_nothing_is_announced_that_is_not_there(opened: Callable[..., Page]) -> None:
    page = opened("laptop")
    text = page.locator("main").inner_text()
    assert "planned" not in text
    assert "being written" not in text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_icon_is_the_sites_own(method: str, server: Server) -> None:
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}/favicon.ico", method=method)) as answer:
        assert answer.headers["Content-Type"] == "image/vnd.microsoft.icon"
        assert answer.read() == (assets.ours("favicon.ico") if method == "GET" else b"")
