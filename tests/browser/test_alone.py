"""The site as files, from nothing but a file server: pages are read, pictures are there, downloads work."""

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from app.pages.build import Builder
from app.pages.place import Place
from app.server.static_site import write
from app.shelf.build import put
from tests.browser.conftest import watch
from tests.browser.reader import OnPage

PAGES = {"gradient-paths": "gradient_floor", "shortcut": "dataflow", "landscape": "scripted_surface"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("site")
    builder = Builder()
    pages = [builder.page(slug) for slug in ("home", *PAGES)]
    for page in pages:
        for key, place in page.places.items():
            put(key, Place(**place))
    write(folder, pages, "https://live.example/")
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server without a log; a browser may leave while it is still sent something."""

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *arguments: object) -> None:
        del format, arguments


@pytest.mark.parametrize(("slug", "name"), PAGES.items())
def test_a_chapter_is_read_without_a_server(browser: Browser, address: str, slug: str, name: str) -> None:
    page = browser.new_page()
    faults = watch(page, address)
    page.goto(f"{address}{slug}.html")
    shown = OnPage(page, name).ready()
    with page.expect_download() as file:
        shown.more("CSV").click()
    assert file.value.path().read_text().startswith("#")
    page.locator("a.brand").click()
    expect(page).to_have_url(f"{address}index.html")
    page.close()
    assert faults.left() == []


def test_what_needs_a_server_says_where_there_is_one(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}gradient-paths.html")
    floor = OnPage(page, "gradient_floor").ready()
    floor.slider("Blocks").press("ArrowRight")
    expect(floor.figure.locator(".stage-message")).to_contain_text("https://live.example/")
    page.close()
