"""The published networks that ours are compared with."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

import pytest


@pytest.fixture
def published() -> Callable[[str], ModuleType]:
    """Imports a module of a package that `requirements-zoo.txt` lists; without the package, the test fails."""

    def find(name: str) -> ModuleType:
        try:
            return import_module(name)
        except (ImportError, RuntimeError) as error:
            reason = f"{name} cannot be imported ({error}): pip install -r requirements-zoo.txt"
        pytest.fail(reason, pytrace=False)

    return find
