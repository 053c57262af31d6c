"""`make contact-sheet`: shows every figure on every screen, in both themes and at every moment, on one page.

`make contact-sheet ONLY="explorer recipes.init"` selects chapters or figures; `SCREENS="phone projector"` screens.
"""

import argparse
import io
from collections.abc import Iterator
from contextlib import suppress

from PIL import Image
from playwright.sync_api import Browser, Page, TimeoutError

from app.pages.files.sources import HOME, Sources
from app.pages.files.stills import THEMES
from sims.paths import ROOT
from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE, Server
from tools.studio import SCREENS, anchors, everyday, move, present, rest, studio

FOLDER = ROOT / "contact-sheet"
QUALITY = 80

ARRIVED, BEFORE, MIDDLE, MOVED = "as it arrives", "before its run", "in the middle of its run", "a control moved"
"""The moments. When a page opens, a training shows the end of a kept run."""

ENOUGH = 12_000
"""Milliseconds after which a run counts as in its middle, however far it is"""

SHARE = 0.4
"""The share of its steps after which a run counts as in its middle"""

AROUND = 24
"""Pixels by which a screenshot of a whole figure is higher than the figure"""

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title><style>
body { font: 15px/1.4 sans-serif; margin: 2rem; color: #222 } h3 { font-weight: 400; margin: 1rem 0 .3rem }
div { display: flex; gap: 8px; align-items: start; overflow-x: auto } img { height: 26rem; border: 1px solid #bbb }
</style><h1>Contact sheet</h1>"""


def moments(on_page: OnPage) -> Iterator[str]:
    """Bring a figure to one moment after the other, and yield the name of each."""
    yield ARRIVED
    page, anchor = on_page.page, on_page.name
    if on_page.figure.locator(".progress").count():
        act(on_page, "restart")
        until(on_page, "!live.kept && live.step === 0")
        yield BEFORE
        act(on_page, "play")
        with suppress(TimeoutError):
            until(on_page, f"live.step >= {SHARE} * live.steps || live.status === 'failed'", timeout=ENOUGH)
        act(on_page, "pause")
        until(on_page, "!live.playing && live.status !== 'running'")
        yield MIDDLE
    else:
        controls = everyday(page, anchor)
        if controls:
            move(page, anchor, controls[0])
            yield MOVED


def act(on_page: OnPage, action: str) -> None:
    """Trigger an action of the figure's bar, as its button does."""
    on_page.page.evaluate("([anchor, action]) => window.simulations.get(anchor).act(action)", [on_page.name, action])


def until(on_page: OnPage, condition: str, timeout: float = PATIENCE) -> None:
    """Wait until a JavaScript condition holds for `live`, the figure's last state from the server."""
    watch = f"anchor => {{ const {{live}} = window.simulations.get(anchor); return {condition} }}"
    on_page.page.wait_for_function(watch, arg=on_page.name, timeout=timeout)


def look(page: Page, anchor: str, screen: str) -> Iterator[tuple[str, bytes]]:
    """Take a screenshot of a figure in each theme as a screen shows it; for the phone, of the whole figure."""
    width, height = SCREENS[screen]
    page.set_viewport_size({"width": width, "height": height})
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": screen == "phone"})
    if screen == "projector":
        present(page, anchor)
    figure = page.locator(f"figure#{anchor}")
    if screen == "phone":
        rest(page, anchor)
        page.set_viewport_size({"width": width, "height": figure.evaluate("each => each.offsetHeight") + AROUND})
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        figure.evaluate("each => each.scrollIntoView()")
        rest(page, anchor)
        yield theme, page.screenshot()
    if screen == "projector":
        present(page, anchor)
    touch.detach()


def chapter(browser: Browser, server: Server, slug: str, options: argparse.Namespace) -> Iterator[str]:
    """Take the screenshots of a chapter's figures, and yield the HTML for each."""
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    page = context.new_page()
    page.goto("" if slug == HOME else slug)
    for anchor in anchors(page):
        if options.only and not {slug, f"{slug}.{anchor}"} & set(options.only):
            continue
        on_page = OnPage(page, anchor).ready()
        yield f"<h2>{slug}.{anchor}</h2>"
        for moment in moments(on_page):
            at = f": {on_page.figure.locator('.count').inner_text()}" if moment == MIDDLE else ""
            yield f"<h3>{moment}{at}</h3><div>"
            for screen in options.screens:
                for theme, image in look(page, anchor, screen):
                    name = f"{slug}.{anchor}.{moment.replace(' ', '-')}.{screen}.{theme}.webp"
                    Image.open(io.BytesIO(image)).convert("RGB").save(FOLDER / name, "WEBP", quality=QUALITY)
                    yield f'<a href="{name}"><img src="{name}" alt="{screen}, {theme}" loading="lazy"></a>'
            yield "</div>"
        print(f"{slug}.{anchor}", flush=True)
    context.close()


def main() -> None:
    """Take all screenshots again, or those that are selected, and put them on a page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("only", nargs="*")
    parser.add_argument("--screens", nargs="*", choices=SCREENS, default=list(SCREENS))
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with studio() as (browser, server):
        parts = [part for slug in Sources().files() for part in chapter(browser, server, slug, options)]
    (FOLDER / "index.html").write_text("\n".join([HEAD, *parts]), encoding="utf-8")
    print(FOLDER / "index.html")


if __name__ == "__main__":
    main()
