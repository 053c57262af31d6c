"""The script that draws: what our pictures need of BokehJS and Panel, as `make bundle` has bundled it."""

import json
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.settings import plain_bokeh
from sims.paths import ROOT

BUNDLE = ROOT / "app" / "static" / "vendor" / "bokeh.min.js"

WHOLE = (
    ("bokeh", "server/static/js/bokeh.min.js"),
    ("bokeh", "server/static/js/bokeh-widgets.min.js"),
    ("bokeh", "server/static/js/bokeh-tables.min.js"),
    ("panel", "dist/panel.min.js"),
)
"""Package and file of the published bundles, in the order in which they run; Panel's does not start without tables"""


def head() -> dict[str, Any]:
    """What the first line of the bundle says of it: its versions, and the names of its models."""
    with BUNDLE.open(encoding="utf-8") as file:
        header: dict[str, Any] = json.loads(file.readline().removeprefix("// "))
    return header


@cache
def models() -> frozenset[str]:
    """Every model that a picture may hold, by its qualified name in Python."""
    return frozenset(head()["models"])


def version() -> str:
    """What the script depends on beside our own files, as a text that is another when the script is."""
    return f"{metadata.version('bokeh')} {metadata.version('panel')} {plain_bokeh()}"


def script() -> bytes:
    """The script; with `SKIP_PLAIN_BOKEH` the whole of what Bokeh and Panel have published, and a mark that says so."""
    if plain_bokeh():
        return b"\n".join([*((package(owner) / name).read_bytes() for owner, name in WHOLE), b"Bokeh.plain = true\n"])
    return BUNDLE.read_bytes()


def package(name: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(name)  # importing Panel takes seconds
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name)
    return Path(spec.origin).parent
