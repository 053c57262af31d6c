"""A module is found by its name, however deep it stands, and without being imported."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from sims.contract.modules import module_named, modules


@pytest.fixture
def package(tmp_path: Path) -> ModuleType:
    (tmp_path / "inner").mkdir()
    for file in ("__init__.py", "one.py", "inner/__init__.py", "inner/other.py"):
        (tmp_path / file).write_text("raise AssertionError\n")
    module_type = ModuleType("made")
    module_type.__path__ = [str(tmp_path)]
    return module_type


def test_it_is_found_in_the_package_and_in_its_subpackages(package: ModuleType) -> None:
    assert module_named(package, "one") == "made.one"
    assert module_named(package, "other") == "made.inner.other"
    assert sorted(modules(package).values()) == ["made.inner.other", "made.one"]
    assert not [name for name in sys.modules if name.startswith("made.")]


@pytest.mark.parametrize("name", ["inner", "__init__", "nothing", "", "../one", "inner.other", "*"])
def test_what_is_no_module_is_not_found(package: ModuleType, name: str) -> None:
    assert module_named(package, name) is None
