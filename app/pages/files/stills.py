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
Place = Literal["page", "embed"]
INDEX = "index.json"

WIDTHS = (360, 390, 480, 600, 768, 960, 1280)
"""Widths in pixels of the windows in which figures are measured; `figures.css` picks one of them by media queries"""


FRAME, NARROW = 960, 640
"""Default width of a frame in pixels, and the least width at which a figure has its wide layout"""

AROUND, AROUND_NARROW = 190, 280
"""Height in pixels of an embed page besides the figure's stage and the sentence below it: title, caption, margins.
Of 17 figures, 15 need no more in a frame of 960 pixels, and 14 in one of 390; those with a listing do."""

UNMEASURED = 680
"""Pixels assumed for the stage and the sentence of a figure that has no still"""


@dataclass(frozen=True)
class StillSize:
    """Heights in pixels of a figure's stage (`stage`), which is as high before its prediction is answered, and of its
    describing sentence (`said`)."""

    stage: int
    said: int


Sizes = Mapping[int, StillSize]
"""Each of `WIDTHS` → the size of a figure in a window of that width"""


@dataclass(frozen=True)
class StillImage:
    """Addresses of an image as it is on a wide page and on a phone; `phone` is "" if there is none."""

    wide: str
    phone: str


@dataclass(frozen=True)
class Still:
    """The sizes of a figure on its page and alone in a frame, and theme → its image.

    `unanswered` are the images without the results that the figure's prediction asks for.
    """

    page: Sizes
    embed: Sizes
    images: Mapping[str, StillImage]
    unanswered: Mapping[str, StillImage]


def name(slug: str, anchor: str, theme: str, *, unanswered: bool = False, phone: bool = False) -> str:
    """The file name of an image."""
    return f"{slug}.{anchor}{'.unanswered' if unanswered else ''}{'.phone' if phone else ''}.{theme}.webp"


def still(folder: Path, slug: str, anchor: str) -> Still | None:
    """The still of a figure; None if it has none."""
    path = folder / INDEX
    stamp = path.stat().st_mtime_ns if path.is_file() else 0
    measured = _index(path, stamp).get(f"{slug}.{anchor}")
    if measured is None:
        return None
    page, embed = (
        {int(width): StillSize(**size) for width, size in measured.get(place, measured["page"]).items()}
        for place in get_args(Place)
    )
    return Still(
        sizes(page),
        sizes(embed),
        images(folder, slug, anchor),
        images(folder, slug, anchor, unanswered=True),
    )


def fitting(still: Still | None, width: int) -> int:
    """About the height in pixels of a figure in a frame of this width; the page in the frame reports the exact one."""
    room = None if still is None else nearest(still.embed, width)
    around = AROUND if width >= NARROW else AROUND_NARROW
    return around + (room.stage + room.said if room else UNMEASURED)


def sizes(measured: Sizes) -> Sizes:
    """Sizes for all `WIDTHS`: a width that has not been measured has the size of the nearest one."""
    return {width: nearest(measured, width) for width in WIDTHS}


def nearest(measured: Sizes, width: int) -> StillSize:
    """The size that was measured in a window of about this width."""
    return measured[min(measured, key=lambda other: abs(other - width))]


def images(folder: Path, slug: str, anchor: str, unanswered: bool = False) -> dict[str, StillImage]:
    """Theme → image of a figure, for those that there are."""
    by_theme: dict[str, StillImage] = {}
    for theme in THEMES:
        wide, phone = (
            _address(folder / name(slug, anchor, theme, unanswered=unanswered, phone=phone)) for phone in (False, True)
        )
        if wide:
            by_theme[theme] = StillImage(wide, phone)
    return by_theme


def _address(image: Path) -> str:
    if not image.is_file():
        return ""
    return f"stills/{image.name}?v={hashlib.sha256(image.read_bytes()).hexdigest()[:6]}"


@lru_cache(maxsize=4)
def _index(path: Path, stamp: int) -> Mapping[str, Mapping[Place, Mapping[str, Mapping[str, int]]]]:
    if not stamp:
        return {}
    return dict(json.loads(path.read_text(encoding="utf-8")))
