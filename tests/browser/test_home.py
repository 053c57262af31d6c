"""The home page moves by itself for readers who accept motion: a network, two models that write, points that travel."""

import re
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.pages.files import assets
from app.pictures.charts.lit_network import DROP
from tests.browser.conftest import watch
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server

SIZES = {"laptop": (1280, 800), "phone": (390, 844)}
FINGER = 24
"""Pixels that a target needs to be touched"""

MOMENT = "name => window.simulations.get(name).players.find(player => player.visible)?.moment"
AT_ONCE = """() => {
    const {requestAnimationFrame, cancelAnimationFrame} = window
    window.planned = new Set()
    window.requestAnimationFrame = draw => {
        const name = requestAnimationFrame(now => { planned.delete(name); draw(now) })
        if (String(draw).includes('lastDraw')) planned.add(name)
        return name
    }
    window.cancelAnimationFrame = name => { planned.delete(name); cancelAnimationFrame(name) }
    const section = document.querySelector('.opening')
    section.querySelector('button').click()
    section.scrollIntoView({block: 'center'})
    return new Promise(resolve => new IntersectionObserver((seen, observer) => {
        if (!seen[0].isIntersecting) return
        observer.disconnect()
        requestAnimationFrame(() => requestAnimationFrame(resolve))
    }, {threshold: 0.75}).observe(section))
}"""
"""Presses the button of the two lines, and then brings them into view; counts what they plan to draw."""
FRAMES = "window.planned.size"
STEP = "Number(document.querySelector('.opening output').textContent.split(' ')[1])"
"""After how many steps the lines were written that show"""

ARC = """block => {
  const drawn = window.simulations.get('machine').document
  const figures = [...drawn._all_models.values()].filter(model => model.type === 'Figure')
  const figure = figures.find(model => Bokeh.index.find_one_by_id(model.id)?.el.offsetHeight)
  const {frame, el} = Bokeh.index.find_one_by_id(figure.id), box = el.getBoundingClientRect()
  const long = Math.floor(figure.x_range.end), row = Math.floor((block - 1) / long)
  const [across, down] = [frame.x_scale.compute(block - 0.5 - row * long), frame.y_scale.compute(1.2 - row * DROP)]
  return [box.x + frame.bbox.left + across, box.y + frame.bbox.top + down]
}""".replace("DROP", str(DROP))
"""Where the window shows the arc of a block"""


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
        expect(page.locator("#machine .stage")).to_have_attribute("data-state", "ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [left for fault in faults for left in fault.left()] == []


@pytest.mark.parametrize("size", first(1, SIZES))
def test_a_network_plays_in_view_and_can_lose_its_plus_signs(size: str, opened: Callable[..., Page]) -> None:
    page = opened(size)
    # The first screen says what the site is about, and begins the network.
    expect(page.locator(".subtitle")).to_have_text(re.compile(r"y = x \+ F\(x\)$"))
    expect(page.locator(".subtitle")).to_be_in_viewport(ratio=1)
    expect(page.locator("#machine .stage")).to_be_in_viewport()
    machine = OnPage(page, "machine").ready()
    page.wait_for_function(f"() => ({MOMENT})('machine') > 1")
    sentence = machine.figure.locator(".live")
    expect(sentence).to_contain_text("With all 28 plus signs")
    # The play button is not in the way of an arc, and pressing it while it plays shows everything.
    machine.menu()
    machine.figure.get_by_role("button", name="Pause here").click()
    assert page.evaluate(MOMENT, "machine") is None
    text = machine.figure.get_by_role("textbox", name="Blocks without a plus sign")
    text.fill("1-28")
    text.press("Enter")
    expect(sentence).to_contain_text("Without any of the 28 plus signs")
    # On a phone the text box is far below the tower, which plays only in view.
    machine.figure.locator(".stage canvas:visible").first.scroll_into_view_if_needed()
    page.wait_for_function(f"() => ({MOMENT})('machine') > 1")
    # Its last step is that of every run, which takes half a minute here.
    machine.button("Train").click()
    expect(sentence).to_contain_text(re.compile(r"After [1-9]\d* of 400 steps"))


def test_a_press_on_an_arc_takes_its_plus_sign_out_and_puts_it_back_however_quick_or_long(
    opened: Callable[..., Page],
) -> None:
    page = opened("laptop", reduced_motion="reduce")
    machine = OnPage(page, "machine").ready()
    one, another, third = (page.evaluate(ARC, block) for block in (7, 14, 21))
    for words in ("With 27 of 28 plus signs", "With all 28 plus signs"):
        page.mouse.click(*another)
        expect(machine.figure.locator(".live")).to_contain_text(words)
    page.clock.install()
    page.mouse.click(*one)
    page.mouse.click(*another)
    page.mouse.move(*third)
    page.mouse.down()
    page.clock.run_for(1000)
    page.mouse.up()
    expect(machine.figure.locator(".live")).to_contain_text("With 25 of 28 plus signs")


@pytest.mark.exhaustive
def test_on_a_phone_a_finger_takes_out_the_plus_sign_that_it_touches(opened: Callable[..., Page]) -> None:
    page = opened("phone", reduced_motion="reduce", has_touch=True)
    machine = OnPage(page, "machine").ready()
    machine.figure.locator(".stage").evaluate("stage => stage.scrollIntoView()")
    for block in (1, 14, 15, 28):
        one, next_to_it = page.evaluate(ARC, block), page.evaluate(ARC, block + 1 if block in (1, 15) else block - 1)
        assert abs(one[0] - next_to_it[0]) >= FINGER
        page.touchscreen.tap(*one)
    expect(machine.figure.get_by_role("textbox", name="Blocks without a plus sign")).to_have_value("1, 14-15, 28")
    expect(machine.figure.locator(".live")).to_contain_text("With 24 of 28 plus signs")


@pytest.mark.parametrize("size", first(1, SIZES))
def test_two_lines_and_a_trained_network_play_in_view_with_one_slider_each(
    size: str, opened: Callable[..., Page]
) -> None:
    page = opened(size)
    opening = page.locator(".opening")
    assert page.evaluate(STEP) == 600
    opening.scroll_into_view_if_needed()
    page.wait_for_function(f"() => {STEP} > 0 && {STEP} < 600")
    box = opening.bounding_box()
    assert box
    assert box["height"] <= SIZES[size][1]
    slider = opening.get_by_role("slider", name="Moment of the training")
    slider.press("Home")
    expect(opening.locator("output")).to_have_text("after 0 of 600 steps")
    noise = opening.locator(".residual .written").inner_text()
    slider.press("ArrowRight")
    expect(opening.locator("output")).to_have_text("after 60 of 600 steps")
    opening.get_by_role("button", name="Let them write").click()
    opening.get_by_role("button", name="Pause here").click()
    assert 60 <= page.evaluate(STEP) < 600
    slider.press("End")
    slider.press("ArrowLeft")
    expect(opening.locator("output")).to_have_text("after 540 of 600 steps")
    opening.get_by_role("button", name="Let them write").click()
    page.wait_for_function(f"() => {STEP} === 600")
    expect(opening.get_by_role("button", name="Let them write")).to_be_visible()
    assert opening.locator(".residual .written").inner_text() != noise
    assert opening.bounding_box() == box
    # So does a trained network below them.
    OnPage(page, "passage").ready()
    page.wait_for_function(f"() => ({MOMENT})('passage') > 1")
    assert page.locator("#passage").get_by_role("slider", disabled=False).count() == 1
    assert "After 600 of 600 steps" in page.locator("#passage .live").inner_text()


def test_a_press_before_the_lines_are_in_view_starts_them_once(opened: Callable[..., Page]) -> None:
    page = opened("laptop")
    opening = page.locator(".opening")
    page.evaluate(AT_ONCE)
    expect(opening.get_by_role("button", name="Pause here")).to_be_visible()
    opening.get_by_role("button", name="Pause here").click()
    assert page.evaluate(FRAMES) == 0
    expect(opening.locator("output")).to_have_attribute("aria-live", "off")


def test_it_does_not_move_with_reduced_motion(opened: Callable[..., Page], browser: Browser) -> None:
    page = opened("laptop", reduced_motion="reduce")
    assert page.evaluate(STEP) == 600
    slider = page.locator(".opening").get_by_role("slider", name="Moment of the training")
    assert slider.evaluate("slider => slider.value === slider.max")
    expect(slider).to_have_attribute("aria-valuetext", "after 600 of 600 steps")
    expect(page.locator(".opening").get_by_role("button", name="Let them write")).to_be_visible()
    for name in ("machine", "passage"):
        OnPage(page, name).ready()
        page.wait_for_function(f"() => window.simulations.get('{name}').players.length")
        assert page.evaluate(MOMENT, name) is None
    # The slider stops the points after a block.
    passage = OnPage(page, "passage")
    passage.slider("Blocks passed").press("ArrowLeft")
    expect(passage.figure.locator(".live")).to_contain_text("after block 7 of 8")
    # Without scripts the lines are complete, too, and nothing is announced that is not there.
    written = page.locator(".opening .written")
    with browser.new_context(base_url=page.url, java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto("")
        assert plain.locator(".opening .written").all_inner_texts() == written.all_inner_texts()
        expect(plain.locator(".opening .moment")).to_be_hidden()
    text = page.locator("main").inner_text()
    assert "planned" not in text
    assert "being written" not in text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_icon_is_the_sites_own(method: str, server: Server) -> None:
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}/favicon.ico", method=method)) as answer:
        assert answer.headers["Content-Type"] == "image/vnd.microsoft.icon"
        assert answer.read() == (assets.ours("icons/favicon.ico") if method == "GET" else b"")
