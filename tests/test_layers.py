"""Which folder may import which, that no two files need each other, and what importing a file may cost."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST = 15
"""Most entries of a folder, files and subfolders: more are hard to survey"""

LAYERS = (
    "sims.paths",
    "sims.contract",
    "sims.xray",
    "sims.data",
    "sims.engines",
    "sims.kept",
    "sims.pytorch.layers",
    "sims.pytorch.models",
    "sims.pytorch.stacks",
    "sims.pytorch.diagnostics",
    "sims.pytorch",
    "sims.builder",
    "sims.instruments.hand_derived",
    "sims.instruments.gradients",
    "sims.instruments.stacks",
    "sims.instruments.costs",
    "sims.instruments.training",
    "sims.instruments.networks",
    "sims.instruments",
    "sims.comparisons",
    "sims.simulations",
    "sims.numbers.arithmetic",
    "sims.numbers.fresh_seeds",
    "sims.numbers.networks",
    "sims.numbers.memory",
    "sims.numbers.worked_examples",
    "sims.numbers",
    "sims.registry",
    "sims.chunks",
    "sims.__main__",
    "app.settings",
    "app.bokeh_internals",
    "app.live.downloads",
    "app.pictures.base",
    "app.pictures.maps",
    "app.pictures.charts",
    "app.pictures.diagrams",
    "app.pictures",
    "app.views",
    "app.pages.text",
    "app.pages.data",
    "app.pages.files",
    "app.pages.document",
    "app.pages.blocks",
    "app.pages.markdown",
    "app.pages.exports",
    "app.pages.output",
    "app.pages",
    "app.runs",
    "app.live",
    "app.standalone",
    "app.one",
    "app.prerender",
    "app.server.http",
    "app.server.builders",
    "app.server.sessions",
    "app.server.classroom",
    "app.server",
    "app.main",
    "app.app_hooks",
)
"""Every folder, and every file beside folders, from the bottom layer up. A file imports from its own layer and from
those above it in this list, never from one below it."""

APART = ("sims.simulations", "app.views")
"""Layers whose files do not import each other, except `app.views.base`."""

FORBIDDEN: Mapping[str, tuple[str, ...]] = {
    "sims": ("panel", "bokeh", "tornado", "app"),
    "app": ("torch", "numba", "scipy", "sims.engines", "sims.pytorch"),
}
"""Package → what it may not import: numbers know nothing of the web, and pictures hold no mathematics."""

FACADES = {"sims": "sims.registry"}
"""Package → the file that it exports from, which decides its layer"""

BY_NAME = {"sims.registry", "sims.numbers.call", "app.views.base"}
"""Files that import modules whose names are found at run time."""


BUILDERS = {"current", "site", "SiteBuilder"}
"""What builds the site when called. No test module calls it at import, since every test process imports all of them."""


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {dotted(path): path for package in FORBIDDEN for path in sorted((ROOT / package).rglob("*.py"))}


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(module: ast.Module) -> set[str]:
    """The dotted names that a module imports, anywhere in it: of `from a import b` both a and a.b."""
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            name = node.args[0]
            names.add(name.value if isinstance(name, ast.Constant) else "?")
    return names


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def layer(name: str) -> str | None:
    return next((candidate for candidate in LAYERS if within(name, (candidate,))), None)


@cache
def imported_names(name: str) -> frozenset[str]:
    """The dotted names that a file imports."""
    return frozenset(imported(tree(FILES[name])))


@cache
def imported_files(name: str) -> frozenset[str]:
    """The files that a file imports: the package itself, where a name is no module of it."""
    names = imported_names(name)
    return frozenset(target for target in names if target in FILES and target != name and not within(name, (target,)))


def called_at_import(module: ast.Module) -> Iterator[str]:
    """The names of the functions that a module calls while it is imported: not those inside its functions' bodies."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2]
        skipped = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
        body = node.body if isinstance(node, ast.Lambda) else None
        waiting += [child for child in ast.iter_child_nodes(node) if child not in skipped and child is not body]


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
    assert imported(ast.parse(source)) == names


def test_every_file_belongs_to_a_layer() -> None:
    assert [name for name in FILES if name != "sims" and layer(name) is None] == []


def test_a_file_imports_only_from_its_own_folder_and_from_those_above_it_in_the_list() -> None:
    upward = {}
    for name in FILES:
        allowed = LAYERS[: LAYERS.index(layer(name) or FACADES.get(name, LAYERS[0])) + 1]
        upward[name] = [target for target in imported_files(name) if layer(target) and layer(target) not in allowed]
    assert {name: targets for name, targets in upward.items() if targets} == {}


def test_simulations_and_views_do_not_import_each_other() -> None:
    sideways = {}
    for name in FILES:
        own = layer(name)
        if own in APART:
            sideways[name] = [
                target
                for target in imported_files(name)
                if layer(target) == own and target not in (own, "app.views.base")
            ]
    assert len(sideways) > 100
    assert {name: targets for name, targets in sideways.items() if targets} == {}


def test_nothing_forbidden_is_imported() -> None:
    for name in FILES:
        names = imported_names(name)
        assert [target for target in names if within(target, FORBIDDEN[name.partition(".")[0]])] == [], name
        assert "?" not in names or name in BY_NAME, name


def test_no_two_files_need_each_other() -> None:
    try:
        TopologicalSorter({name: set(imported_files(name)) for name in FILES}).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def in_use(path: Path) -> bool:
    """Whether a file or folder is more than the caches that a moved module leaves."""
    return path.is_file() or any(file.is_file() and "__pycache__" not in file.parts for file in path.rglob("*"))


def test_no_folder_is_crowded() -> None:
    folders = [path for package in FORBIDDEN for path in (ROOT / package).rglob("*") if path.is_dir()]
    crowded = {}
    for folder in [*(ROOT / package for package in FORBIDDEN), *folders]:
        if "__pycache__" in folder.parts or folder.is_relative_to(ROOT / "app" / "static"):
            continue
        inside = [child for child in folder.iterdir() if child.name != "__init__.py" and in_use(child)]
        if len(inside) > MOST:
            crowded[str(folder.relative_to(ROOT))] = len(inside)
    assert crowded == {}


def test_the_map_names_every_folder() -> None:
    """In `docs/architecture.md` a folder is `name/`, after the names of those above it or in their row."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = {Path(name).name for name in re.findall(r"`([\w./-]+)/`", text)}
    folders = [path for package in FORBIDDEN for path in (ROOT / package).rglob("*") if path.is_dir() and in_use(path)]
    assert len(folders) > 100
    assert [str(path.relative_to(ROOT)) for path in folders if path.name not in named | {"__pycache__"}] == []


def test_nothing_imports_the_tools_or_the_tests() -> None:
    for name in FILES:
        assert [target for target in imported_names(name) if within(target, ("tools", "tests"))] == [], name


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("SITE = site_builder.current()", ["current"]),
        ("@mark(site().slugs)\ndef test(): current()", ["mark", "site"]),
        ("later = lambda: current()", []),
        ("class Case:\n    SITE = SiteBuilder()\n    def test(self): site()", ["SiteBuilder"]),
    ],
)
def test_every_call_at_import_is_seen(source: str, names: list[str]) -> None:
    assert sorted(called_at_import(ast.parse(source))) == sorted(names)


def test_no_test_module_builds_the_site_when_it_is_imported() -> None:
    building = {str(path): BUILDERS & {*called_at_import(tree(path))} for path in (ROOT / "tests").rglob("*.py")}
    assert {path: names for path, names in building.items() if names} == {}


def test_words_hold_no_code() -> None:
    assert not [path for path in (ROOT / "content").rglob("*") if path.suffix in (".py", ".js", ".html")]


def test_importing_every_simulation_loads_neither_web_nor_torch() -> None:
    code = (
        "import sys; from sims.registry import simulations; assert simulations(); "
        "print([m for m in ('panel', 'bokeh', 'tornado', 'torch') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
