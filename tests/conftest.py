"""Every test computes with the instructions with which the kept numbers and runs were made."""

import gc
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

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


class SiteTogether(LoadFileScheduling):
    """One process for each file, and one for all files that read the built site, which takes seconds to build."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return "the site" if _reads_site(self.config.rootpath / file) else file


@cache
def _reads_site(file: Path) -> bool:
    """Those in browsers wait for servers and not for the site, so they are better divided."""
    return "browser" not in file.parts and "from tests.site import" in file.read_text(encoding="utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """The usual scheduler for any `--dist` but that of the Makefile."""
    return SiteTogether(config, log) if config.option.dist == "loadfile" else None


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
