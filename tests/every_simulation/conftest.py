"""The contract that every simulation keeps, whoever wrote it: one module for each part of it."""

import pytest

from sims.instruments.costs.timed_operations import OPERATIONS
from sims.simulations.costs import roofline


@pytest.fixture(autouse=True)
def even_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is timed takes as long as it has to do, whenever it is timed: all else about it has to be the same again."""
    monkeypatch.setattr(roofline, "operation_time", lambda name, *shape: OPERATIONS[name].work(*shape) / 1e9)
    monkeypatch.setattr(roofline, "update_time", lambda size: size / 1e9)
    monkeypatch.setattr(roofline, "square_time", lambda width: width**3 / 1e9)
