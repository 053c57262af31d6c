"""The contract that every simulation keeps, whoever wrote it: one module for each part of it."""

import pytest

from sims.instruments.costs.timed_operations import OPERATIONS
from sims.simulations.costs import roofline


@pytest.fixture(autouse=True)
def even_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is timed takes as long as it has to do, whenever it is timed: all else about it has to be the same again."""

    def seconds(name: str, size: int, numbers: int) -> float:
        if name == "update":
            return size / 1e9
        return size**3 / 1e9 if name == "square" else OPERATIONS[name].work(numbers, size) / 1e9

    monkeypatch.setattr(
        roofline, "timings", lambda tasks, numbers: [seconds(name, size, numbers) for name, size in tasks]
    )
