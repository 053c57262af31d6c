"""What an answer of every instant simulation costs at the corners of its controls, by processor time."""

from collections.abc import Mapping
from time import thread_time
from typing import Any

from benchmarks._figures import note
from sims import registry
from sims.contract import parameters
from sims.contract.simulation import Simulation, Training
from tests.settings import corners

GOAL = 50
"""Milliseconds that the contract gives an instant simulation"""

ROUNDS = 3
LARGEST = 5


def milliseconds(kind: type[Simulation], corner: Mapping[str, Any], attempt: int) -> float:
    """Processor time of one answer in this thread, with seeds that no earlier attempt had: nothing is cached."""
    seeds = {name: 100 + attempt for name in parameters.control_names(kind) if name.endswith("seed")}
    simulation = kind(**{**corner, **seeds})
    begun = thread_time()
    simulation.compute()
    return 1e3 * (thread_time() - begun)


def main() -> None:
    """Print the slowest corner of the simulations that take longest, beside the goal."""
    slowest = {}
    for name, kind in registry.simulations().items():
        if not issubclass(kind, Training):
            times = [[milliseconds(kind, corner, attempt) for attempt in range(ROUNDS)] for corner in corners(kind)]
            slowest[name] = max(times, key=min)
    for name in sorted(slowest, key=lambda key: -min(slowest[key]))[:LARGEST]:
        note(f"an answer at the slowest corner: {name}", slowest[name], "ms", GOAL)
