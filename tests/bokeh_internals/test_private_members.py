"""Private members of Bokeh, Panel and Tornado are used in app/bokeh_internals only, and the document lists them."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import app

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "app" / "bokeh_internals"
FILES = sorted((ROOT / "app").rglob("*.py"))
OUTSIDE = [path for path in FILES if not path.is_relative_to(PACKAGE)]
DOCUMENT = (ROOT / "docs" / "bokeh-internals.md").read_text(encoding="utf-8")
LIBRARIES = ("bokeh", "panel", "tornado")

ENTRY_POINTS = {"app.main", "app.app_hooks", "app.one", "app.prerender.__main__"}
"""Modules that act when they are imported"""

ELSEWHERE = {"_reason"}
"""Private members of Tornado that the document lists for the classes that use them"""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_repr_mimebundle_"


def defined(tree: ast.Module) -> set[str]:
    """The names of functions, classes, variables and attributes that a module defines."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            names.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def foreign(tree: ast.Module, ours: set[str]) -> Iterator[tuple[int, str]]:
    """Line and name of each private attribute that is not our own.

    An attribute of `self` or `cls` is our own if `ours` has its name, which a base class may define. One of anything
    else is if the module itself defines it.
    """
    here = defined(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            own = ours if ast.unparse(node.value) in ("self", "cls", "super()") else here
            if node.attr not in own:
                yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in LIBRARIES:
            yield from ((node.lineno, alias.name) for alias in node.names if is_private(alias.name))


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("session._subscribed_connections.clear()", ["_subscribed_connections"]),
        ("self._ours = self._theirs", ["_theirs"]),
        ("class Run:\n    def _step(self): other._step()", []),
        ("from bokeh.plotting import _renderer, figure", ["_renderer"]),
        ("from app.views.base import _ours", []),
        ("value.__class__", []),
    ],
)
def test_every_use_is_seen(source: str, names: list[str]) -> None:
    tree = ast.parse(source)
    assert [name for _line, name in foreign(tree, defined(tree))] == names


def test_only_the_package_uses_private_members() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in OUTSIDE}
    ours = set().union(*map(defined, trees.values())) | ELSEWHERE
    used = {
        f"{path.relative_to(ROOT)}:{line}": name for path, tree in trees.items() for line, name in foreign(tree, ours)
    }
    assert used == {}


def test_only_the_package_overrides_private_methods() -> None:
    overridden = []
    for path in OUTSIDE:
        name = ".".join(path.relative_to(Path(app.__path__[0]).parent).with_suffix("").parts).removesuffix(".__init__")
        if name in ENTRY_POINTS:
            continue
        for kind in vars(importlib.import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name:
                bases = [base for base in kind.__mro__ if base.__module__.partition(".")[0] in LIBRARIES]
                private = [member for member in vars(kind) if is_private(member)]
                overridden += [(kind, member) for member in private if any(member in vars(base) for base in bases)]
    assert overridden == []


def test_the_document_lists_every_private_member() -> None:
    used = set(ELSEWHERE)
    for path in PACKAGE.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        our_attributes = set().union(*(defined(ast.Module([node], [])) for node in classes))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr not in our_attributes:
                used.add(node.attr)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(LIBRARIES):
                used.update(alias.name for alias in node.names)
    assert {name for name in used if is_private(name) and f"{name}`" not in DOCUMENT} == set()


def test_the_document_names_every_module_of_the_package() -> None:
    without = {path.name for path in PACKAGE.glob("*.py") if path.name != "__init__.py" and path.name not in DOCUMENT}
    assert without == set()
