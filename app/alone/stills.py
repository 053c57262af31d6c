"""The image of a figure as it stands on a page, for whoever sees a notebook without its scripts."""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from app.pages.sources import CONTENT
from app.pages.stills import name
from sims.contract.parameters import control_names, read
from sims.contract.simulation import Simulation

SLUG = re.compile(r"^slug: (\S+)$", re.MULTILINE)
FIGURE = re.compile(r"^:::+\{simulation\} (\w+)\n(.*?)^:::", re.MULTILINE | re.DOTALL)


def image(simulation: Simulation) -> bytes:
    """A WebP image of a page's figure with these very settings; empty where there is none."""
    kind = type(simulation)
    wanted = simulation.settings()
    for slug, anchor, settings in _figures(kind.__module__.rpartition(".")[2]):
        admitted, _notes = read(kind, {key: text for key, text in settings.items() if key in control_names(kind)})
        file = CONTENT / "stills" / name(slug, anchor, "light")
        if kind(**admitted).settings() == wanted and file.is_file():
            return file.read_bytes()
    return b""


def _figures(simulation: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Page, place and settings of every figure of a simulation."""
    for path in sorted((*CONTENT.glob("chapters/*.md"), *CONTENT.glob("deep-dives/*.md"))):
        text = _text(path)
        for found, body in FIGURE.findall(text):
            if found == simulation:
                settings = yaml.load(body, yaml.BaseLoader) or {}
                yield SLUG.findall(text)[0], settings.get("id", found), settings


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
