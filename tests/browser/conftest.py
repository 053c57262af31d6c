"""A real server and a real browser. A page fails its test on any error and on any request that leaves this machine."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests import tiers
from tools.local_server import Server, chromium, free_port, serving

# No name leads out of this machine. To stop requests on their way, Playwright would have to hold every one of them,
# which also turns off the browser's cache.
NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"


# The server believes this machine about who is at the other end, as it believes a proxy: a test can give an address. It
# trains what its pages could train, however busy the tests of other processes keep it.
SETTINGS = {"SKIP_PROXIES": "127.0.0.1", "SKIP_TRAIN": "server"}

SHARED = pytest.StashKey[Server]()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give all test processes one server, since a server takes ten seconds of processor time until it has loaded all.
    Exhaustive tests ask what a whole server does, or kill its workers, so with them each process starts its own."""
    if tiers.everything:
        return
    if SHARED not in node.config.stash:
        running = serving(**SETTINGS)
        node.config.stash[SHARED] = running.__enter__()
        node.config.add_cleanup(lambda: running.__exit__(None, None, None))
    node.workerinput["port"] = node.config.stash[SHARED].port


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of this process, or that of all of them."""
    port = getattr(request.config, "workerinput", {}).get("port")
    if port:
        yield Server(port, SETTINGS)
        return
    with serving(**SETTINGS) as running:
        yield running


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server that a test may stop, starve or crowd without disturbing the others."""
    running = Server(free_port(), {"SKIP_AHEAD": "no"})
    yield running
    if running.process and running.process.poll() is None:
        running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = chromium(playwright, NOWHERE)
        yield started
        started.close()


@dataclass
class Faults:
    """What went wrong on a page without its test noticing."""

    seen: list[str]
    expected: tuple[str, ...] = ()

    def left(self) -> list[str]:
        return [fault for fault in self.seen if not any(word in fault for word in self.expected)]


def watch(page: Page, *urls: str) -> Faults:
    """Record every error of a page, and every request that would leave this machine: `NOWHERE` lets it fail. To hear of
    all the others, too, would take a tenth of the processor time of a visit."""
    faults = Faults([])

    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.seen.append(f"console {message.type}: {message.text} {message.location['url']}")

    def guard(request: Request) -> None:
        if not request.url.startswith((*urls, "blob:", "data:")):
            faults.seen.append(f"outside request: {request.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.seen.append(f"page error: {error}"))
    page.context.on("requestfailed", guard)
    return faults


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=server.url)
    opened = context.new_page()
    faults = watch(opened, server.url)
    opened.faults = faults  # type: ignore[attr-defined]
    yield opened
    context.close()
    assert faults.left() == []


Enter = Callable[..., Page]


@pytest.fixture
def enter(browser: Browser, server: Server) -> Iterator[Enter]:
    """Opens a browser of one more person; all of them are without a fault in the end."""
    opened: list[tuple[BrowserContext, Faults]] = []

    def person(width: int = 390, expected: tuple[str, ...] = (), **more: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 844}, base_url=server.url, **more)
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        faults = watch(page, server.url)
        faults.expected = expected
        opened.append((context, faults))
        return page

    yield person
    for context, faults in opened:
        context.close()
        assert faults.left() == []


@pytest.fixture
def teacher(enter: Enter) -> Page:
    """A teacher whose room is open."""
    return open_room(enter)


def open_room(enter: Enter, expected: tuple[str, ...] = ()) -> Page:
    """Return the page of a teacher whose room is open, and where these faults may occur."""
    page = enter(1280, expected, reduced_motion="reduce")
    page.goto("teach")
    page.get_by_role("button", name="Open a room").dblclick()  # one room, however often it is pressed
    code = page.locator("dialog.room-code .letters")
    expect(code).to_have_text(re.compile("^[A-Z0-9]{6}$"))
    assert page.evaluate("JSON.parse(sessionStorage.room).code") == code.inner_text()
    expect(page.get_by_role("img", name="QR code")).to_have_js_property("complete", True)
    assert page.get_by_role("img", name="QR code").evaluate("image => image.naturalWidth") > 0
    page.get_by_role("button", name="Back to the page").click()
    return page
