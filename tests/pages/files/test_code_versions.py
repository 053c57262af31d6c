"""A picture belongs to what it is drawn by: its view, its simulation with its words, and what all pictures share."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app import views
from app.pages.document.figure_placement import FigurePlacement
from app.pages.files.code_versions import DRAWING, picture_code, table_code
from app.pictures.base.theme import LIGHT
from sims import registry
from sims.contract.modules import module_named
from sims.kept.provenance import Provenance
from sims.paths import ROOT
from tests.tiers import first

WATCHED = {"degradation": "Degradation", "failures": "Failures", "paths": "Paths"}
VIEWS = {name: str(module_named(views, name)) for name in WATCHED}

Edit = Callable[[str, str, str], set[str]]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of `app` and `sims`."""
    folder = tmp_path_factory.mktemp("tree")
    for package in ("app", "sims"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return folder


@pytest.fixture
def stale_after(tree: Path) -> Iterator[Edit]:
    """What an edit of the copy makes stale, among `WATCHED` and the tables of worked examples; then it is undone."""
    originals: dict[Path, str] = {}

    def edit(file: str, old: str, new: str) -> set[str]:
        path = tree / file
        originals[path] = path.read_text(encoding="utf-8")
        assert old in originals[path]
        path.write_text(originals[path].replace(old, new, 1), encoding="utf-8")
        changed = Provenance(tree, ("app", "sims"), words=True)
        pictures = {
            name
            for name, kind in WATCHED.items()
            if picture_code(name)
            != changed.version(*DRAWING, (VIEWS[name], f"{kind}View"), (registry.find(name).__module__, kind))
        }
        tables = changed.version(("app.pages.blocks.number_tables", "tables"))
        return pictures | ({"tables"} if tables != table_code() else set())

    yield edit
    for path, text in originals.items():
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    first(
        3,
        [
            ("sims/engines/segment.py", "import numpy", "# Why.\nimport numpy", set()),
            ("sims/simulations/depth/degradation.py", 'label="Depth"', 'label="How deep"', {"degradation"}),
            ("app/pictures/base/theme.py", LIGHT["plain"], "#123456", set(WATCHED)),
            ("app/server/http/health.py", '"ready"', '"fine"', set()),
            ("app/views/gradients/paths.py", "def update(self", "def update(\n    self", set()),
            ("app/views/depth/degradation.py", "HEIGHT = 258", "HEIGHT = 260", {"degradation"}),
            ("app/pages/blocks/number_tables.py", "DIGITS = 12", "DIGITS = 11", {"tables"}),
            # What is imported for its effect:
            (
                "app/bokeh_internals/bokeh_patches.py",
                '"nonselection_", "muted_"',
                '"nonselection_",',
                set(WATCHED),
            ),
        ],
    ),
)
def test_what_something_is_made_of_makes_it_stale(
    stale_after: Edit, file: str, old: str, new: str, stale: set[str]
) -> None:
    assert stale_after(file, old, new) == stale


def test_a_picture_belongs_to_its_place_and_its_settings() -> None:
    places = [
        FigurePlacement("one", "paths", {}),
        FigurePlacement("other", "paths", {}),
        FigurePlacement("one", "paths", {"blocks": "3"}),
        FigurePlacement("one", "degradation", {}),
    ]
    assert len({place.key() for place in places}) == 4
    assert places[0].key() == FigurePlacement("one", "paths", {}).key()
