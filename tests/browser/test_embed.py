"""A figure in a page of another origin, as its own menu tells others to put it there; once in a sandbox."""

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.browser.conftest import watch
from tests.browser.reader import unseen, violations
from tests.browser.test_alone import Quiet
from tests.browser.test_fit import ROUNDED
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE, Server

SMALL = "width=16&seeds=1&training_steps=200"
SANDBOXES = {"a frame": "", "a sandbox": ' sandbox="allow-scripts"'}


@dataclass
class Elsewhere:
    """Another site: one page, whose words a test writes."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        """Another host, too: a site may have several ports."""
        return f"http://localhost:{self.port}/"

    def write(self, html: str) -> None:
        """Let this stand on the page."""
        head = '<!doctype html><title>A blog</title><link rel="icon" href="data:,">'
        (self.folder / "index.html").write_text(head + html)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    handler = functools.partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Elsewhere(tmp_path, server.server_port)
        server.shutdown()
        thread.join()


def codes(page: Page, name: str) -> list[str]:
    """What the menu of a figure offers: the frame, and the script that gives it its height."""
    OnPage(page, name).more("Embed it").click()
    code = page.locator(f"figure#{name} .embedding code")
    expect(code.first).to_contain_text("<iframe")
    return code.all_inner_texts()


@pytest.fixture
def blog(browser: Browser, server: Server, elsewhere: Elsewhere) -> Iterator[Page]:
    page = browser.new_context(viewport={"width": 1000, "height": 1400}).new_page()
    page.set_default_timeout(PATIENCE)
    faults = watch(page, server.url, elsewhere.url)
    yield page
    page.context.close()
    assert faults.left() == []


def ready(page: Page) -> FrameLocator:
    frame = page.frame_locator("iframe")
    expect(frame.locator(".stage")).to_have_attribute("data-state", "ready")
    expect(frame.locator(".stage canvas").first).to_be_visible()
    return frame


@pytest.mark.parametrize("sandbox", first(1, SANDBOXES.values()), ids=SANDBOXES)
def test_a_figure_lives_in_a_page_of_another_origin(page: Page, blog: Page, elsewhere: Elsewhere, sandbox: str) -> None:
    page.goto("degradation")
    OnPage(page, "degradation").ready()
    frame_code, script = codes(page, "degradation")
    elsewhere.write(frame_code.replace("<iframe", f"<iframe{sandbox}") + script)
    blog.goto(elsewhere.url)
    assert blog.evaluate("location.host") not in frame_code
    frame = ready(blog)
    figure = frame.locator("figure.simulation")
    expect(figure).not_to_have_attribute("data-session", re.compile("."))
    expect(figure.locator(".live")).to_contain_text("depth 56")
    height = frame.locator("body").evaluate("body => Math.ceil(body.getBoundingClientRect().height)")
    expect(blog.locator("iframe")).to_have_attribute("style", re.compile(rf"height: {height}px"))
    slider = frame.get_by_role("slider", name=re.compile("^Depth")).first
    slider.press("ArrowLeft")
    expect(figure.locator(".live")).to_contain_text("depth 54")
    expect(frame.locator("footer a")).to_have_attribute("href", re.compile(r"/degradation\?degradation\.depth=54&v=2#"))


@pytest.mark.parametrize(("slug", "name"), first(1, [("explorer", "explorer"), ("backward", "attention_leaks")]))
def test_the_height_in_the_code_is_enough_without_the_script(
    page: Page, browser: Browser, server: Server, slug: str, name: str
) -> None:
    page.goto(slug)
    OnPage(page, name).ready()
    (height,) = re.findall(r'height="(\d+)"', codes(page, name)[0])
    frame = browser.new_page(viewport={"width": 960, "height": int(height)}, base_url=server.url)
    frame.goto(f"/embed/{name}")
    expect(frame.locator(".stage")).to_have_attribute("data-state", "ready")
    assert frame.evaluate("document.documentElement.scrollHeight") <= int(height)
    frame.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("sandbox", first(1, SANDBOXES.values()), ids=SANDBOXES)
def test_a_network_trains_in_a_frame(blog: Page, server: Server, elsewhere: Elsewhere, sandbox: str) -> None:
    address = unseen(f"{server.url}/embed/degradation?depth=8&{SMALL}", "degradation")
    elsewhere.write(f'<iframe{sandbox} src="{address}" width="100%" height="1000"></iframe>')
    blog.goto(elsewhere.url)
    frame = ready(blog)
    expect(frame.locator(".count")).to_have_text("step 0 of 200")
    frame.get_by_role("button", name=re.compile("^Train")).click()
    expect(frame.locator(".count")).to_have_text("step 200 of 200")
    expect(frame.locator("figure")).to_have_attribute("data-session", "live")


TOLD = """window.told = []
addEventListener('message', ({data}) => window.told.push(data.height))"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [390, 800, 900, 960])
def test_a_frame_does_not_grow_when_its_picture_comes(
    blog: Page, server: Server, elsewhere: Elsewhere, width: int
) -> None:
    frame = f'<iframe src="{server.url}/embed/explorer" width="{width}" height="600" style="border: 0"></iframe>'
    elsewhere.write(f"<script>{TOLD}</script>{frame}")
    blog.goto(elsewhere.url)
    height = ready(blog).locator("body").evaluate("body => Math.ceil(body.getBoundingClientRect().height)")
    blog.wait_for_function("() => window.told.length")
    messages = blog.evaluate("window.told")
    assert max(height, *messages) - messages[0] <= ROUNDED, (height, messages)


@pytest.mark.exhaustive
def test_the_code_follows_the_state(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("degradation?degradation.width=16")
    simulation = OnPage(page, "degradation").ready()
    (frame, _script) = codes(page, "degradation")
    assert "/embed/degradation?width=16&amp;v=2" in frame
    assert 'title="The same layers, with and without a skip connection"' in frame
    simulation.slider("Depth").press("ArrowLeft")
    expect(simulation.figure.locator(".embedding code").first).to_contain_text("depth=54")
    simulation.figure.locator(".embedding button").first.click()
    expect(simulation.figure.locator(".embedding button").first).to_have_text("Copied")
    assert "depth=54" in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.exhaustive
def test_the_height_of_the_code_is_that_of_the_frame(page: Page, server: Server) -> None:
    heights = []
    for comes in (OnPage.arrived, OnPage.ready):
        page.goto("degradation")
        comes(OnPage(page, "degradation"))
        height = re.search(r'height="(\d+)"', codes(page, "degradation")[0])
        assert height
        heights.append(int(height[1]))
    page.set_viewport_size({"width": 960, "height": 900})  # the frame of oEmbed
    page.goto("embed/degradation")
    OnPage(page, "degradation").ready()
    whole = page.locator("body").evaluate("body => body.offsetHeight")
    assert [abs(height - whole) < 60 for height in heights] == [True, True], (heights, whole)


@pytest.mark.exhaustive
@pytest.mark.parametrize("theme", first(1, ["dark", "light"]))
@pytest.mark.parametrize("width", first(1, [320, 1280]))
def test_everybody_can_use_it(page: Page, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
    page.goto(f"embed/degradation?theme={theme}")
    OnPage(page, "degradation").ready()
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.exhaustive
def test_the_color_of_the_system_is_that_of_the_frame(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("embed/degradation?theme=pink&depth=54&utm_source=course&nothing=1")
    simulation = OnPage(page, "degradation").ready()
    color = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(color)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(color) != light
    assert simulation.setting("depth") == "54"
    expect(simulation.figure.locator(".notes")).to_be_hidden()
    expect(page).to_have_url(re.compile("utm_source=course"))


def test_a_figure_is_seen_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    page.goto("embed/degradation")
    expect(page.locator("img.still.light")).to_be_visible()
    expect(page.locator("footer a")).to_have_attribute("href", "degradation#degradation")
    context.close()


FORMER = """new MutationObserver(() => {
    const figure = document.querySelector('figure#degradation')
    if (figure) figure.dataset.former = '{"renamed": {"layers": "depth"}}'
}).observe(document, {childList: true, subtree: true})"""
"""A page on which the depth was once called something else"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("address", ["degradation?degradation.layers=54&v=2", "embed/degradation?layers=54&v=2"])
def test_a_link_with_a_former_name_is_understood_and_said(page: Page, address: str) -> None:
    page.add_init_script(FORMER)
    page.goto(address)
    simulation = OnPage(page, "degradation").ready()
    assert simulation.setting("depth") == "54"
    expect(simulation.figure.locator(".notes")).to_contain_text("This link calls “layers” what is now called “depth”")
    expect(page).to_have_url(re.compile(r"[?.]depth=54&v=2"))
    assert "layers" not in page.url
