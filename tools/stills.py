"""`make stills`: makes an image of every figure as a page shows it first, in both themes, and measures its height.

A figure with a prediction has a second image, without its results.
"""

import io
import json
import shutil
from collections.abc import Mapping

from PIL import Image
from playwright.sync_api import Browser, Locator

from app.pages.files.sources import Sources
from app.pages.files.stills import INDEX, THEMES, Theme, name
from sims.paths import CONTENT
from tools.figure_on_page import OnPage
from tools.local_server import Server
from tools.studio import anchors, rest, studio

FOLDER = CONTENT / "stills"
SIZES = {"wide": (1280, 900), "phone": (390, 844)}
QUALITY = 72
ROOM = """figure => {
  const [stage, said] = ['.stage', '.live'].map(part => figure.querySelector(part))
  said.style.minHeight = 0
  return {stage: stage.offsetHeight, said: said.offsetHeight}
}"""
FURNITURE = ".drawing-board, .transport, .controls, .opener, .play, .surface > .bar { display: none !important; }"
"""What works only where scripts run: left out of images, which are also printed"""

Rooms = dict[str, Mapping[str, int]]
"""Size of the page → the heights of a figure's stage and of its sentence"""

SHARP = 1.5
"""Pixels of an image per pixel of the page"""


def look(browser: Browser, server: Server, size: str, theme: Theme, slug: str, index: dict[str, Rooms]) -> None:
    """Measure every figure of a page and, on the wide page, save its image."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": width, "height": height},
        color_scheme=theme,
        has_touch=size == "phone",
        device_scale_factor=SHARP,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto("" if slug == "home" else slug)
    for anchor in anchors(page):
        on_page = OnPage(page, anchor).arrived()
        stage = on_page.figure.locator(".stage")
        rooms: dict[str, int] = {}
        if on_page.is_unanswered:
            rest(page, anchor)
            rooms["waiting"] = stage.evaluate("stage => stage.offsetHeight")
            if size == "wide" and rooms["waiting"]:
                _save(stage, name(slug, anchor, theme, unanswered=True))
        on_page.ready()
        rest(page, anchor)
        index.setdefault(f"{slug}.{anchor}", {})[size] = on_page.figure.evaluate(ROOM) | rooms
        if size == "wide":
            _save(stage, name(slug, anchor, theme))
        print(f"{slug}.{anchor} {size} {theme}", flush=True)
    context.close()


def _save(stage: Locator, file: str) -> None:
    image = Image.open(io.BytesIO(stage.screenshot(style=FURNITURE)))
    image.convert("RGB").save(FOLDER / file, "WEBP", quality=QUALITY, method=6)


def main() -> None:
    """Make all images again."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    index: dict[str, Rooms] = {}
    with studio() as (browser, server):
        for slug in Sources().files():
            for theme in THEMES:
                look(browser, server, "wide", theme, slug, index)
            look(browser, server, "phone", "light", slug, index)
    (FOLDER / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
