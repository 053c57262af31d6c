"""Every test computes with the instructions with which the kept numbers and runs were made."""

import gc
import os
from collections.abc import Callable, Iterator

import pytest

from sims.kept.environment import reproducible
from sims.kept.processes import collect_rarely
from tests import tiers

# Here, because NumPy and PyTorch read these variables when a test imports them.
os.environ.update(reproducible())

# Models of Bokeh are many small objects that live long. By default Python looks for cycles among them after every 700
# new ones, which takes a fifth of the time of these tests.
collect_rarely()


def pytest_configure(config: pytest.Config) -> None:
    """Modules ask for the tier when they are imported, which is later."""
    tiers.everything = "not exhaustive" not in config.option.markexpr


def pytest_sessionfinish() -> None:
    """Look once through all that a thousand tests have left. pytest does so five times after this."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def collect() -> Iterator[Callable[[], int]]:
    """Look for unused objects among those of this test only: among those of all tests before it takes seconds."""
    gc.freeze()
    yield gc.collect
    gc.unfreeze()
