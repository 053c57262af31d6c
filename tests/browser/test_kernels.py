"""The compiled kernels in a browser: the bits of native code, and the page where readers see it for themselves."""

import mimetypes
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from sims.paths import ROOT
from tests.browser.conftest import watch
from tests.engines.wasm.cases import covering, write
from tests.engines.wasm.modules import modules
from tools.local_server import Server

NOWHERE = "http://kernels.test/"
"""Where the files of a page are served from this repository, without a server"""

RUN = """async () => {
    const {repeat} = await import('/tests/engines/wasm/repeat.js')
    return repeat(async name => (await fetch(`/files/${name}`)).arrayBuffer(), 'fused')
}"""


UNRELAXED = "const {validate} = WebAssembly; WebAssembly.validate = bytes => bytes.length < 40 && validate(bytes)"
"""Lets the test for vectors pass, and not the longer one for relaxed instructions"""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context()
    yield opened
    opened.close()


@pytest.mark.exhaustive
def test_covering_choices_give_the_same_bits_in_chromium(context: BrowserContext, tmp_path: Path) -> None:
    write(tmp_path, covering())

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(NOWHERE)
        folders = (tmp_path, modules()) if name.startswith("files/") else (ROOT,)
        path = next(path for folder in folders if (path := folder / name.removeprefix("files/")).is_file())
        route.fulfill(body=path.read_bytes(), content_type=mimetypes.guess_type(path)[0])

    page = context.new_page()
    page.route(f"{NOWHERE}**", serve)
    page.route(NOWHERE, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto(NOWHERE)
    outcome = page.evaluate(RUN)
    assert outcome["wrong"] == []
    assert outcome["count"] > 500


@pytest.mark.exhaustive
def test_a_reader_trains_and_gets_every_bit(page: Page, server: Server) -> None:
    modules()
    page.goto("/numbers")
    proof = page.locator(".browser-proof")
    proof.get_by_role("button").click()
    expect(proof.locator(".proof-end")).to_contain_text("All bits are equal")
    expect(proof.locator("tbody tr[data-equal=true]")).to_have_count(12)
    expect(proof.locator(".proof-has")).to_contain_text("which rounds as our own code does")
    expect(proof.get_by_role("button")).to_be_enabled()
    assert page.evaluate("crossOriginIsolated") is False  # it needs no memory that threads share


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("delete globalThis.WebAssembly", "This browser has no WebAssembly."),
        ("WebAssembly.validate = () => false", "has no vectors"),
        ("WebAssembly.Memory = class { constructor() { throw new RangeError('no') } }", "gives no memory"),
    ],
)
def test_what_a_browser_lacks_is_said(script: str, words: str, browser: Browser, server: Server) -> None:
    modules()
    opened = browser.new_context(base_url=server.url)
    page = opened.new_page()
    faults = watch(page, server.url)
    page.route("**/kernels/worker.js", lambda route: lacking(route, script))
    page.goto("/numbers")
    page.locator(".browser-proof button").click()
    expect(page.locator(".browser-proof .proof-end")).to_contain_text(words)
    expect(page.locator(".browser-proof .proof-end")).to_contain_text("Nothing was trained")
    opened.close()
    assert faults.left() == []


def lacking(route: Route, script: str) -> None:
    """Answer with the worker of a browser that lacks something: the real one, after a script that takes it away."""
    answer = route.fetch()
    route.fulfill(response=answer, body=f"{script}\n{answer.text()}")


@pytest.mark.exhaustive
def test_a_browser_that_rounds_twice_trains_the_plain_module(browser: Browser, server: Server) -> None:
    modules()
    opened = browser.new_context(base_url=server.url)
    page = opened.new_page()
    page.route("**/kernels/worker.js", lambda route: lacking(route, UNRELAXED))
    page.goto("/numbers")
    page.locator(".browser-proof button").click()
    expect(page.locator(".browser-proof .proof-end")).to_contain_text("Bits differ, as they must")
    expect(page.locator(".browser-proof .proof-has")).to_contain_text("without relaxed instructions")
    opened.close()


def test_files_of_another_version_are_said_to_be(browser: Browser, server: Server) -> None:
    opened = browser.new_context(base_url=server.url)
    page = opened.new_page()
    page.route("**/kernels/*/description.json", lambda route: route.fulfill(json={"version": "x", "engines": {}}))
    page.goto("/numbers")
    page.locator(".browser-proof button").click()
    expect(page.locator(".browser-proof .proof-end")).to_contain_text("of different versions")
    opened.close()
