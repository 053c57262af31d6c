"""The house: which room may import which, and that no two files need each other."""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST = 320

LADDER = (
    "sims.paths",
    "sims.modules",
    "sims.contract",
    "sims.data",
    "sims.engines",
    "sims.kept",
    "sims.pytorch",
    "sims.builder",
    "sims.instruments",
    "sims.comparisons",
    "sims.simulations",
    "sims.numbers",
    "sims.registry",
    "sims.chunks",
    "sims.__main__",
    "app.settings",
    "app.pictures",
    "app.views",
    "app.pages",
    "app.runs",
    "app.live",
    "app.alone",
    "app.one",
    "app.shelf",
    "app.server",
    "app.main",
    "app.app_hooks",
)
"""Every room and every file beside them, from the ground up. A file imports from its own room and from those above it
in this list, never from one below it."""

APART = ("sims.simulations", "app.views")
"""Rooms whose files do not import each other, but for what `app.views.base` gives to all."""

FORBIDDEN: Mapping[str, tuple[str, ...]] = {
    "sims": ("panel", "bokeh", "tornado", "app"),
    "app": ("torch", "numba", "scipy", "sims.engines", "sims.pytorch"),
}
"""Wing → what it may not import: numbers know nothing of the web, and pictures hold no mathematics."""

DOORS = {"sims": "sims.registry"}
"""A package that opens to a file of its own stands beside it."""

BY_NAME = {"sims.registry", "sims.numbers.call", "app.views.base"}
"""Files that import modules whose names are found at run time."""


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {dotted(path): path for wing in FORBIDDEN for path in sorted((ROOT / wing).rglob("*.py"))}


def imported(source: str) -> set[str]:
    """The dotted names that a source imports, wherever the import stands: of `from a import b` both a and a.b."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            name = node.args[0]
            names.add(name.value if isinstance(name, ast.Constant) else "?")
    return names


def within(name: str, places: tuple[str, ...]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in places)


def room(name: str) -> str | None:
    return next((each for each in LADDER if within(name, (each,))), None)


def arrows(name: str) -> Iterator[str]:
    """The files that a file imports: the package itself, where a name is no module of it."""
    for each in imported(FILES[name].read_text(encoding="utf-8")):
        if each in FILES and each != name and not within(name, (each,)):
            yield each


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from sims import engines", {"sims", "sims.engines"}),
        ("from sims.engines import recipe, state", {"sims.engines", "sims.engines.recipe", "sims.engines.state"}),
        ("import numpy as np, torch.nn", {"numpy", "torch.nn"}),
        ("def late():\n    import torch", {"torch"}),
        ("if TYPE_CHECKING:\n    from app.live import session", {"app.live", "app.live.session"}),
        ("importlib.import_module('torch')", {"torch"}),
        ("__import__('torch')", {"torch"}),
        ("import_module(name)", {"?"}),
    ],
)
def test_every_kind_of_import_is_seen(source: str, names: set[str]) -> None:
    assert imported(source) == names


def test_every_file_has_a_place_on_the_ladder() -> None:
    assert [name for name in FILES if name != "sims" and room(name) is None] == []


@pytest.mark.parametrize("name", FILES)
def test_a_file_imports_only_from_its_own_floor_and_from_below(name: str) -> None:
    own = room(name) or DOORS.get(name, LADDER[0])
    allowed = LADDER[: LADDER.index(own) + 1]
    assert [each for each in arrows(name) if room(each) and room(each) not in allowed] == []


@pytest.mark.parametrize("name", [each for each in FILES if room(each) in APART])
def test_simulations_and_views_do_not_lean_on_each_other(name: str) -> None:
    own = room(name)
    assert [each for each in arrows(name) if room(each) == own and each not in (own, "app.views.base")] == []


@pytest.mark.parametrize("name", FILES)
def test_nothing_forbidden_is_imported(name: str) -> None:
    names = imported(FILES[name].read_text(encoding="utf-8"))
    assert [each for each in names if within(each, FORBIDDEN[name.partition(".")[0]])] == []
    assert "?" not in names or name in BY_NAME


def test_no_two_files_need_each_other() -> None:
    try:
        TopologicalSorter({name: set(arrows(name)) for name in FILES}).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


@pytest.mark.parametrize("wing", FORBIDDEN)
def test_a_newcomer_can_overlook_a_wing(wing: str) -> None:
    assert len([each for each in (ROOT / wing).iterdir() if each.name not in ("__init__.py", "__pycache__")]) <= 15


@pytest.mark.parametrize("name", FILES)
def test_a_module_is_one_idea(name: str) -> None:
    assert len(FILES[name].read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_words_hold_no_code() -> None:
    assert not [path for path in (ROOT / "content").rglob("*") if path.suffix in (".py", ".js", ".html")]


def test_importing_every_simulation_loads_neither_web_nor_torch() -> None:
    code = (
        "import sys; from sims.registry import simulations; assert simulations(); "
        "print([m for m in ('panel', 'bokeh', 'tornado', 'torch') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
