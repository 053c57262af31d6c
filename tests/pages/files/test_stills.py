"""The images of figures and the room that a page keeps for them."""

import json
import re
from pathlib import Path

from app.pages.files import assets
from app.pages.files.stills import INDEX, WIDTHS, StillImage, StillSize, name, nearest, still

BLOCK = re.compile(r"figure\.simulation \{\s*--stage: var\(--stage-(\d+)\);\s*--said: var\(--said-(\d+)\);\s*\}")


def measured(folder: Path, **places: dict[str, dict[str, int]]) -> None:
    (folder / INDEX).write_text(json.dumps({"page.figure": places}))


def test_a_size_of_every_width_is_that_of_the_nearest_one_measured(tmp_path: Path) -> None:
    narrow, middle, wide = ({"stage": stage, "said": 50} for stage in (900, 700, 500))
    measured(tmp_path, page={"1280": wide, "390": narrow}, embed={"600": middle, "390": narrow})
    kept = still(tmp_path, "page", "figure")
    assert kept
    assert [kept.page[width].stage for width in WIDTHS] == [900, 900, 900, 900, 900, 500, 500]
    assert kept.page[1280] == StillSize(500, 50)
    assert [kept.embed[width].stage for width in WIDTHS] == [900, 900, 900, 700, 700, 700, 700]
    assert nearest(kept.embed, 10_000).stage == 700


def test_a_frame_has_the_sizes_of_the_page_where_only_that_is_measured(tmp_path: Path) -> None:
    measured(tmp_path, page={"390": {"stage": 900, "said": 50}})
    kept = still(tmp_path, "page", "figure")
    assert kept
    assert kept.embed == kept.page
    assert still(tmp_path, "page", "another") is None


def test_a_missing_image_of_a_phone_leaves_the_wide_one(tmp_path: Path) -> None:
    measured(tmp_path, page={"390": {"stage": 900, "said": 50}})
    for file in ("page.figure.light.webp", "page.figure.dark.webp", "page.figure.phone.dark.webp"):
        (tmp_path / file).write_bytes(file.encode())
    kept = still(tmp_path, "page", "figure")
    assert kept
    assert list(kept.images) == ["light", "dark"]
    light, dark = kept.images["light"], kept.images["dark"]
    assert light == StillImage(light.wide, "")
    assert dark.phone.startswith("stills/page.figure.phone.dark.webp?v=")
    assert dark.phone[-6:] != dark.wide[-6:]
    assert kept.unanswered == {}


def test_names_of_images_tell_them_apart() -> None:
    sorts = [(unanswered, phone) for unanswered in (False, True) for phone in (False, True)]
    names = [name("page", "figure", "dark", unanswered=unanswered, phone=phone) for unanswered, phone in sorts]
    assert names[0] == "page.figure.dark.webp"
    assert names[3] == "page.figure.unanswered.phone.dark.webp"
    assert len(set(names)) == 4


def test_the_style_picks_each_width_once_the_widest_first() -> None:
    style = (assets.FOLDER / "style" / "figures.css").read_text()
    assert [tuple(map(int, block)) for block in BLOCK.findall(style)] == [(width,) * 2 for width in reversed(WIDTHS)]
    limits = [float(limit) * 16 for limit in re.findall(r"max-width: ([\d.]+)em\) \{\s*figure\.simulation", style)]
    pairs = zip(reversed(WIDTHS[:-1]), reversed(WIDTHS[1:]), limits, strict=True)
    assert all(width <= limit < wider for width, wider, limit in pairs), limits
