"""Static files for the browser: our own and those of Bokeh and Panel, compressed and cached for a year.

The version of the files is a folder in their address, so that the modules and fonts which they refer to by relative
addresses are versioned as well.
"""

import gzip
import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path

from app.bokeh_internals import bokeh_script
from app.pictures.base import theme
from sims.paths import ROOT

FOLDER = ROOT / "app" / "static"
COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
"""A comment of a style sheet: readers need not wait for it"""

STYLE = "style.css"
WIDGETS = "bokeh/widgets.css"
SCRIPT = "vendor/bokeh.min.js"
FOREIGN = (
    "css/listpanel.css",
    "css/button.css",
    "css/select.css",
    "bundled/theme/default.css",
    "bundled/theme/native.css",
)
"""Panel's style sheets for widgets, which come before ours"""
SHEETS = (
    "type",
    "layout",
    "controls",
    "notes",
    "text",
    "exercises/exercises",
    "exercises/drawing",
    "exercises/worked",
    "exercises/claims",
    "figures",
    "pages/places",
    "pages/poster",
    "search",
    "pages/room",
    "pages/embed",
    "reading",
    "modes",
    "pages/paper",
)
"""The style sheets in `static/style`, in the order in which one overrides another; they are sent as one."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
ZIPPED = {".css", ".js", ".svg", ".txt"}


@cache
def version() -> str:
    """A hash of all our files, computed at the first call in a process and after each `forget`."""
    digest = hashlib.sha256(f"{theme.style_sheet()}{bokeh_script.version()}".encode())
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(FOLDER)}\0".encode() + path.read_bytes())
    return f"v{digest.hexdigest()[:10]}"


def trains_in_browser(name: str) -> bool:
    """Return whether pages can train a simulation by themselves, or calculate it."""
    return any((FOLDER / "training" / "figures").rglob(f"{name}.js"))


def forget() -> None:
    """Clear the caches, so that saved files are read again."""
    version.cache_clear()
    ours.cache_clear()


@lru_cache(maxsize=256)
def ours(name: str) -> bytes | None:
    """The bytes of one of our files; None if it does not exist or has an unknown type."""
    if name == WIDGETS:
        foreign = (bokeh_script.package("panel") / "dist" / sheet for sheet in FOREIGN)
        return "\n".join(path.read_text(encoding="utf-8") for path in (*foreign, FOLDER / WIDGETS)).encode()
    if name == STYLE:
        sheets = ((FOLDER / "style" / f"{sheet}.css").read_text(encoding="utf-8") for sheet in SHEETS)
        return COMMENT.sub("", "\n".join([theme.style_sheet(), *sheets])).encode()
    if name == SCRIPT:
        return bokeh_script.script()
    return _within(FOLDER, name)


def _within(folder: Path, name: str) -> bytes | None:
    path = (folder / name).resolve()
    if path.suffix not in TYPES or not path.is_relative_to(folder.resolve()) or not path.is_file():
        return None
    return path.read_bytes()


@lru_cache(maxsize=128)
def zipped(body: bytes) -> bytes:
    """The body compressed with gzip, cached."""
    return gzip.compress(body, compresslevel=9, mtime=0)
