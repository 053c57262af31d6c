"""The home page lives above its fold: two trained models write by themselves, with one slider, for who likes motion."""

import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.pages.files import assets
from tests.browser.conftest import watch
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server

SIZES = {"laptop": (1280, 800), "phone": (390, 844)}
MOMENT = "() => window.simulations.get('passage').players[0]?.moment"
STEP = "Number(document.querySelector('.opening output').textContent.split(' ')[1])"
"""After how many steps the lines were written that show"""

LISTEN = """
window.told = new Set()
const listen = () => window.told.add(document.querySelector('.opening output')?.textContent)
new MutationObserver(listen).observe(document, {childList: true, subtree: true, characterData: true})
"""
"""All that the slider has said: who looks late would find that it has come to its end"""


@pytest.fixture
def opened(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Open the home page and touch nothing."""
    contexts, faults = [], []

    def open_page(size: str, **options: Any) -> Page:
        width, height = SIZES[size]
        viewport = {"width": width, "height": height}
        contexts.append(browser.new_context(base_url=server.url, viewport=viewport, **options))
        page = contexts[-1].new_page()
        page.add_init_script(LISTEN)
        faults.append(watch(page, server.url))
        page.goto("")
        if size != "phone":  # where the picture is below the fold, and waits for a sign
            expect(page.locator("#passage .stage")).to_have_attribute("data-state", "ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [left for fault in faults for left in fault.left()] == []


@pytest.mark.parametrize("size", first(1, SIZES))
def test_two_lines_write_themselves_above_the_fold_with_one_slider(size: str, opened: Callable[..., Page]) -> None:
    page = opened(size)
    opening = page.locator(".opening")
    page.wait_for_function("() => window.told.size > 2")
    assert page.evaluate("scrollY") == 0
    box = opening.bounding_box()
    assert box
    assert box["y"] + box["height"] <= SIZES[size][1]
    slider = opening.get_by_role("slider", name="Moment of the training")
    slider.press("Home")
    expect(opening.locator("output")).to_have_text("after 0 of 600 steps")
    noise = opening.locator(".residual .written").inner_text()
    slider.press("ArrowRight")
    expect(opening.locator("output")).to_have_text("after 60 of 600 steps")
    opening.get_by_role("button", name="Let them write").click()
    opening.get_by_role("button", name="Pause here").click()
    assert 60 <= page.evaluate(STEP) < 600
    opening.get_by_role("button", name="Let them write").click()
    page.wait_for_function(f"() => {STEP} === 600")
    expect(opening.get_by_role("button", name="Let them write")).to_be_visible()
    assert opening.locator(".residual .written").inner_text() != noise
    assert opening.bounding_box() == box


@pytest.mark.parametrize("size", first(1, SIZES))
def test_a_trained_network_plays_in_view_with_one_slider(size: str, opened: Callable[..., Page]) -> None:
    page = opened(size)
    OnPage(page, "passage").ready()
    page.wait_for_function(f"() => ({MOMENT})() > 1")
    assert page.locator("#passage").get_by_role("slider").count() == 1
    assert "After 600 of 600 steps" in page.locator("#passage .live").inner_text()


def test_without_scripts_the_lines_stand_at_their_end(opened: Callable[..., Page], browser: Browser) -> None:
    page = opened("laptop", reduced_motion="reduce")
    written = page.locator(".opening .written")
    with browser.new_context(base_url=page.url, java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto("")
        assert plain.locator(".opening .written").all_inner_texts() == written.all_inner_texts()
        expect(plain.locator(".opening .moment")).to_be_hidden()


def test_it_stands_still_for_those_who_want_stillness(opened: Callable[..., Page]) -> None:
    page = opened("laptop", reduced_motion="reduce")
    assert page.evaluate(STEP) == 600
    expect(page.locator(".opening").get_by_role("button", name="Let them write")).to_be_visible()
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
