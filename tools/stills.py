"""`make stills`: makes an image of every figure as a page shows it first, in both themes, and measures its height.

Each figure has an image from a wide page and one from a phone. A figure with a prediction has two more, without its
results. With slugs of pages, `python -m tools.stills SLUG…` makes only the figures of these pages again.
"""

import io
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import Browser

from app.pages.files.sources import HOME, Sources
from app.pages.files.stills import INDEX, THEMES, Place, Theme, name
from sims.paths import CONTENT
from tools.figure_on_page import OnPage
from tools.local_server import Server
from tools.studio import anchors, rest, studio

FOLDER = CONTENT / "stills"
QUALITY = {"wide": 72, "phone": 40}
ROOM = """figure => {
  const [stage, said] = ['.stage', '.live'].map(part => figure.querySelector(part))
  said.style.minHeight = 0
  return {stage: stage.offsetHeight, said: said.offsetHeight}
}"""
FURNITURE = ".drawing-board, .transport, .controls, .opener, .play, .surface > .bar { display: none !important; }"
"""What works only where scripts run: left out of images, which are also printed"""

HEIGHT = 900
"""Pixels of a window"""

SHARP = 1.5
"""Pixels of an image per pixel of the page"""


@dataclass(frozen=True)
class Window:
    """A window in which figures are measured at these widths, one after the other, and whether it has touch, which
    makes buttons higher."""

    widths: tuple[int, ...]
    touch: bool = False


PICTURED = {"wide": Window((1280,)), "phone": Window((390,), touch=True)}
"""Size of an image → the window in which it is made"""

MEASURED: Mapping[Place, tuple[Window, ...]] = {
    "page": (Window((960,)), Window((768, 600, 480, 360), touch=True)),
    "embed": (Window((1280,)), Window((960,)), Window((768, 600)), Window((480, 390, 360), touch=True)),
}
"""Where figures are only measured. A wide page scales its pictures once, when it is loaded (`tall.js`), so that a
window changes its width only where no picture is scaled. A narrow frame is a phone's; a page of 768, a tablet's."""

Index = dict[str, dict[Place, dict[str, dict[str, int]]]]
"""Figure → page or frame → width of the window → the heights of its stage and of its sentence"""


@dataclass(frozen=True)
class Visit:
    """An address that is opened in a window, the kind of page that it is, and the size of images made there, if any."""

    address: str
    place: Place
    window: Window
    theme: Theme = "light"
    size: str = ""


def visits(slug: str) -> Iterator[Visit]:
    """Everything that has to be opened for the figures of a page."""
    for theme in THEMES:
        for size, window in PICTURED.items():
            yield Visit(slug, "page", window, theme, size)
    for window in MEASURED["page"]:
        yield Visit(slug, "page", window)
    for address, (home, _anchor) in Sources().embeds().items():
        if home == slug:
            for window in MEASURED["embed"]:
                yield Visit(address, "embed", window)


def look(browser: Browser, server: Server, slug: str, index: Index) -> None:
    """Measure every figure of a page, and save its images."""
    for visit in visits(slug):
        context = browser.new_context(
            base_url=server.url,
            viewport={"width": visit.window.widths[0], "height": HEIGHT},
            color_scheme=visit.theme,
            has_touch=visit.window.touch,
            device_scale_factor=SHARP,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto("" if visit.address == HOME else visit.address)
        for anchor in anchors(page):
            measured = index.setdefault(f"{slug}.{anchor}", {}).setdefault(visit.place, {})
            on_page = OnPage(page, anchor).arrived()
            if on_page.is_unanswered and visit.size:
                for _width in _widths(on_page, visit):
                    _save(on_page, visit, slug, unanswered=True)
            on_page.ready()
            for width in _widths(on_page, visit):
                measured[str(width)] = on_page.figure.evaluate(ROOM)
                _save(on_page, visit, slug)
            print(f"{slug}.{anchor} {visit.place} {visit.window.widths} {visit.theme}", flush=True)
        context.close()


def _widths(on_page: OnPage, visit: Visit) -> Iterator[int]:
    """Give the window one width after the other, and wait until the figure is drawn."""
    for width in visit.window.widths:
        on_page.page.set_viewport_size({"width": width, "height": HEIGHT})
        rest(on_page.page, on_page.name)
        yield width


def _save(on_page: OnPage, visit: Visit, slug: str, *, unanswered: bool = False) -> None:
    if visit.size:
        image = Image.open(io.BytesIO(on_page.figure.locator(".stage").screenshot(style=FURNITURE)))
        file = name(slug, on_page.name, visit.theme, unanswered=unanswered, phone=visit.size == "phone")
        image.convert("RGB").save(FOLDER / file, "WEBP", quality=QUALITY[visit.size], method=6)


def main(slugs: Sequence[str]) -> None:
    """Make the images of these pages again; with no slugs, those of all pages."""
    file, index = FOLDER / INDEX, Index()
    if slugs:
        before = json.loads(file.read_text(encoding="utf-8"))
        index = {key: sizes for key, sizes in before.items() if key.partition(".")[0] not in slugs}
        for image in (image for slug in slugs for image in FOLDER.glob(f"{slug}.*.webp")):
            image.unlink()
    else:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
    with studio() as (browser, server):
        for slug in slugs or Sources().files():
            look(browser, server, slug, index)
    file.write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
