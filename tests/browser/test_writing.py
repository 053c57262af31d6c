"""An author saves, and the page in the browser is the new one."""

import json

import pytest
from playwright.sync_api import Browser, Route, expect

from tools.local_server import Server


@pytest.mark.exhaustive
def test_a_page_reloads_when_it_was_rebuilt(browser: Browser, own_server: Server) -> None:
    own_server.settings = {"SKIP_WRITE": "yes"}
    own_server.start()
    page = browser.new_page()
    now = {"mark": "first", "missing": 3, "numbers": 12}
    page.route("**/writing?page=glossary", lambda route: _answer(route, now))
    page.goto(f"{own_server.url}/glossary")
    expect(page.locator("output.writing")).to_have_text("9 of 12 long numbers of this page are computed")
    page.evaluate("window.before = true")
    now.update(mark="second", missing=0)
    page.wait_for_function("() => window.before === undefined")
    expect(page.locator("output.writing")).to_be_hidden()
    page.unroute_all()
    state = page.request.get(f"{own_server.url}/writing?page=degradation").json()
    assert state["missing"] == 0
    assert state["numbers"] > 0
    page.close()


def _answer(route: Route, now: dict[str, object]) -> None:
    route.fulfill(body=json.dumps(now), content_type="application/json")
