"""`panel serve app/one.py`: one simulation, alone, driven by Python instead of a page's script."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sims.paths import ROOT
from tests.browser.conftest import watch
from tools.local_server import free_port

ARGUMENTS = ("degradation", "--depth", "4", "--seeds", "1", "--seed", "7")


@pytest.fixture
def alone(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of one simulation, on a server of its own."""
    port = free_port()
    url = f"http://localhost:{port}"
    panel = Path(sys.executable).with_name("panel")
    command = [panel, "serve", "app/one.py", "--port", str(port), "--args", *ARGUMENTS]
    environment = {**os.environ, "SKIP_CACHE": str(tmp_path / "cache")}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            with suppress(OSError), urllib.request.urlopen(url, timeout=30):
                break
        context = browser.new_context(viewport={"width": 390, "height": 900})
        page = context.new_page()
        faults = watch(page, url)
        page.goto(f"{url}/one")
        yield page
        context.close()
        assert faults.left() == []
    finally:
        server.terminate()
        server.wait()


@pytest.mark.exhaustive
def test_it_shows_trains_and_follows_its_controls(alone: Page) -> None:
    expect(alone.get_by_text("The same layers, with and without a skip connection")).to_be_visible()
    expect(alone.get_by_text(re.compile("Before the first step at depth 4"))).to_be_visible()
    assert alone.evaluate("document.documentElement.scrollWidth") <= 390
    alone.get_by_role("button", name="Train", exact=True).click()
    expect(alone.get_by_text(re.compile("After 600 of 600 steps at depth 4"))).to_be_visible()
    handle = alone.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowRight")
    expect(alone.get_by_text(re.compile("at depth 6"))).to_be_visible()
