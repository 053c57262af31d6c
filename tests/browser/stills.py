"""`make stills`: an image of every figure as a page shows it first, in both themes, and how high its stage is."""

import io
import json
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.pages.sources import CONTENT, Sources
from app.pages.stills import INDEX, THEMES, name
from tests.browser.conftest import FLAGS, PATIENCE, ROOT, Server, free_port
from tests.browser.reader import OnPage

FOLDER = CONTENT / "stills"
SIZES = {"wide": (1280, 900), "phone": (390, 844)}
QUALITY = 72
SHARP = 1.5
"""Pixels of an image for one of the page"""


def anchors(page: Page) -> list[str]:
    """The figures of the open page."""
    return list(page.evaluate("[...document.querySelectorAll('figure.simulation')].map(each => each.id)"))


def look(browser: Browser, server: Server, size: str, theme: str, slug: str, index: dict[str, dict[str, int]]) -> None:
    """Measure every figure of a page and, where it is wide, keep its image."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": width, "height": height},
        color_scheme=theme,
        device_scale_factor=SHARP,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto("" if slug == "home" else slug)
    for anchor in anchors(page):
        shown = OnPage(page, anchor).ready()
        stage = shown.figure.locator(".stage")
        page.wait_for_function(
            "id => { const now = document.querySelector(`#${id} .stage`).offsetHeight;"
            " const before = window.before; window.before = now; return now === before }",
            arg=anchor,
            polling=300,
            timeout=PATIENCE,
        )
        index.setdefault(f"{slug}.{anchor}", {})[size] = stage.evaluate("each => each.offsetHeight")
        if size == "wide":
            image = Image.open(io.BytesIO(stage.screenshot()))
            image.convert("RGB").save(FOLDER / name(slug, anchor, theme), "WEBP", quality=QUALITY, method=6)
        print(f"{slug}.{anchor} {size} {theme}", flush=True)
    context.close()


def main() -> None:
    """Make all of them anew."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    Path(ROOT / ".cache").mkdir(exist_ok=True)
    server = Server(free_port(), {"SKIP_AHEAD": "no"})
    server.start()
    index: dict[str, dict[str, int]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for slug in Sources().files():
            for size, theme in (*(("wide", each) for each in THEMES), ("phone", "light")):
                look(browser, server, size, theme, slug, index)
        browser.close()
    server.stop()
    (FOLDER / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
