"""`make stills`: makes the preview image for links to each page, and the site's icons, drawn by Chromium; `python -m
tools.cards SLUG…` makes the images of single pages and claims (`claim-B-20`).

An image shows the title and question of the page and, if the page has figures, the still of the first one that does not
ask for a prediction.
"""

import base64
import io
import re
import shutil
import sys
from html import escape
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from app.pages.files import assets
from app.pages.files.sources import HOME
from app.pages.files.stills import name
from app.pages.output.description import ABOUT, CARD
from app.pages.output.site_builder import SiteBuilder
from app.pictures.base import theme
from sims.paths import CONTENT
from tools.local_server import chromium

FOLDER = CONTENT / "cards"
FIGURE = re.compile(r'<figure class="simulation[^>]*>')
COLORS = 256
"""Colors of an image, quantized by a method that keeps the few bright ones among many grays"""

TOUCH, FAVICON = 180, 32
"""Sides of the icons in pixels"""

STYLE = """
body { margin: 0; width: 1200px; height: 630px; display: grid; grid-template-columns: 1fr auto;
  background: var(--paper); color: var(--ink); font-family: "Source Sans 3"; overflow: hidden }
.words { padding: 56px 40px 48px 64px; display: flex; flex-direction: column; gap: 22px; min-width: 400px }
.brand { display: flex; align-items: center; gap: 14px; font-size: 27px; font-weight: 600; color: var(--soft) }
.brand img { width: 46px }
h1 { font: 700 60px/1.06 "Source Serif 4"; letter-spacing: -0.02em; margin: auto 0 0 }
p { font: 400 29px/1.3 "Source Serif 4"; color: var(--soft); margin: 0 0 auto }
.still { width: 640px; max-height: 530px; align-self: center; margin-right: -60px; background: var(--panel);
  border: 1px solid var(--rule); border-radius: 12px; overflow: hidden; padding: 18px }
.still img { width: 900px; display: block }
"""


def data_url(path: Path, kind: str) -> str:
    """Return a file as a data URL."""
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def faces() -> str:
    """Return the CSS of the site's typefaces."""
    files = {"Source Serif 4": "source-serif-4", "Source Sans 3": "source-sans-3"}
    return "".join(
        f'@font-face {{ font-family: "{family}"; font-weight: 200 900; '
        f"src: url({data_url(assets.FOLDER / 'style/fonts' / f'{file}.woff2', 'font/woff2')}) }}\n"
        for family, file in files.items()
    )


def pictured(site: SiteBuilder, slug: str) -> Path | None:
    """Return the still of a page's first figure that no prediction covers; None if there is none."""
    open_ = (tag for tag in FIGURE.findall(site.html(slug)) if "data-covered" not in tag)
    stills = (CONTENT / "stills" / name(slug, re.findall(r' id="([\w-]+)"', tag)[0], "light") for tag in open_)
    return next((path for path in stills if path.is_file()), None)


def document(site: SiteBuilder, slug: str) -> str:
    """Return the HTML of a page's image."""
    meta = site.page(slug).meta
    still = pictured(site, slug)
    words = meta["question"] or meta["lede"] or ABOUT.get(slug, "")
    icon = data_url(assets.FOLDER / "icons/icon.svg", "image/svg+xml")
    title = site.meta[HOME]["title"]
    picture = f'<div class="still"><img src="{data_url(still, "image/webp")}"></div>' if still else ""
    return (
        f'<html data-theme="light"><style>{theme.style_sheet()}{faces()}{STYLE}</style><body><div class="words">'
        f'<div class="brand"><img src="{icon}">{title}</div><h1>{escape(meta["title"])}</h1>'
        f"<p>{escape(words)}</p></div>{picture}"
    )


def drawn(page: Page, html: str, width: int, height: int) -> Image.Image:
    """Render a document as an image."""
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(html)
    page.evaluate("document.fonts.ready")
    return Image.open(io.BytesIO(page.screenshot()))


def icons(page: Page) -> None:
    """Make the icons for devices that do not support SVG."""
    icon = data_url(assets.FOLDER / "icons/icon.svg", "image/svg+xml")
    for side, file in ((TOUCH, "apple-touch-icon.png"), (FAVICON, "favicon.ico")):
        html = f'<body style="margin:0;background:#fff"><img src="{icon}" style="width:80%;margin:10%;display:block">'
        drawn(page, html, side, side).convert("RGB").save(assets.FOLDER / "icons" / file)


def main(slugs: list[str]) -> None:
    """Make all images and icons again, or the images of these pages and claims."""
    site = SiteBuilder()
    known = [*site.slugs, *site.sources.claims()]
    if unknown := [slug for slug in slugs if slug not in known]:
        raise SystemExit(f"There is no page or claim {', '.join(unknown)}.")
    if not slugs:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page()
        for slug in slugs or known:
            image = drawn(page, document(site, slug), *CARD)
            image.convert("RGB").quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
                FOLDER / f"{slug}.png", optimize=True
            )
            print(f"{slug}.png", flush=True)
        if not slugs:
            icons(page)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
