"""Stills: images of figures, shown until scripts have run or if none run, and the measured heights of figures.

`make stills` takes them from the pages in a browser, and writes the heights it measured to `index.json`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)
INDEX = "index.json"


@dataclass(frozen=True)
class StillSize:
    """Heights in pixels of a figure's stage (`stage`), the same before its prediction is answered (`waiting`), and of
    its describing sentence (`said`)."""

    stage: int
    said: int
    waiting: int | None = None


@dataclass(frozen=True)
class Still:
    """The size of a figure on a wide page and on a phone, and theme → address of its image.

    `unanswered` are the images without the results that the figure's prediction asks for.
    """

    wide: StillSize
    phone: StillSize
    images: Mapping[str, str]
    unanswered: Mapping[str, str]


def name(slug: str, anchor: str, theme: str, unanswered: bool = False) -> str:
    """The file name of an image."""
    return f"{slug}.{anchor}{'.unanswered' if unanswered else ''}.{theme}.webp"


def still(folder: Path, slug: str, anchor: str) -> Still | None:
    """The still of a figure; None if it has none."""
    path = folder / INDEX
    stamp = path.stat().st_mtime_ns if path.is_file() else 0
    measured = _index(path, stamp).get(f"{slug}.{anchor}")
    if measured is None:
        return None
    return Still(
        StillSize(**measured["wide"]),
        StillSize(**measured["phone"]),
        images(folder, slug, anchor),
        images(folder, slug, anchor, unanswered=True),
    )


def images(folder: Path, slug: str, anchor: str, unanswered: bool = False) -> dict[str, str]:
    """Theme → address of the image of a figure, for those that there are."""
    addresses: dict[str, str] = {}
    for theme in THEMES:
        image = folder / name(slug, anchor, theme, unanswered)
        if image.is_file():
            addresses[theme] = f"stills/{image.name}?v={hashlib.sha256(image.read_bytes()).hexdigest()[:6]}"
    return addresses


@lru_cache(maxsize=4)
def _index(path: Path, stamp: int) -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    if not stamp:
        return {}
    return dict(json.loads(path.read_text(encoding="utf-8")))
