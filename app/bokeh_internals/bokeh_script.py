"""The drawing script: the parts of BokehJS and Panel that our pictures need, as bundled by `make bundle`."""

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
"""Package and file of the published bundles, in the order in which they run; Panel's fails to start without tables"""


def head() -> dict[str, Any]:
    """The first line of the bundle as data: its versions, and the names of its models."""
    with BUNDLE.open(encoding="utf-8") as file:
        header: dict[str, Any] = json.loads(file.readline().removeprefix("// "))
    return header


@cache
def models() -> frozenset[str]:
    """The qualified Python names of all models that a picture may hold."""
    return frozenset(head()["models"])


def version() -> str:
    """A text that changes whenever the script does: what the script depends on besides our own files."""
    return f"{metadata.version('bokeh')} {metadata.version('panel')} {plain_bokeh()}"


def script() -> bytes:
    """The script. With `SKIP_PLAIN_BOKEH`: all of Bokeh and Panel as published, and a marker that says so."""
    if plain_bokeh():
        return b"\n".join([*((package(owner) / name).read_bytes() for owner, name in WHOLE), b"Bokeh.plain = true\n"])
    return BUNDLE.read_bytes()


def package(name: str) -> Path:
    """The folder of an installed package. Raises ModuleNotFoundError if it is not installed."""
    spec = find_spec(name)  # importing Panel takes seconds
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(name)
    return Path(spec.origin).parent
