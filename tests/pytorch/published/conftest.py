"""The published networks that ours are compared with."""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

import pytest

from sims.paths import ROOT


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Imports a module of a package that `requirements-zoo.txt` lists; without the package, the test fails."""
    # At the end, so that what the environment has itself is imported from there. `make test-all` fills this folder.
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / ".venv" / "zoo")])

    def find(name: str) -> ModuleType:
        try:
            import_module("tools.architectures.torchvision_without_cuda")
            return import_module(name)
        except (ImportError, RuntimeError) as error:
            reason = f"{name} cannot be imported ({error}): make .venv/zoo"
        pytest.fail(reason, pytrace=False)

    return find
