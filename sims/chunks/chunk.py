"""A chunk of work: the unit of streaming, pausing, retrying and moving a training elsewhere."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sims.chunks.serialization import Keeper, Pickled
from sims.contract.frame import Frame
from sims.contract.simulation import State, Training

WHOLE = ""
"""Name of the single part of a state that is not divisible."""


@dataclass(frozen=True)
class Chunk:
    """The result of one chunk of work: the next state, in serialized parts, and its frame if one was drawn.

    `seconds` is the worker's time for the whole chunk, `stepping` the time for the steps alone, and `costs` the same
    for each part of the state.
    """

    state: Mapping[str, Any]
    frame: Frame | None
    seconds: float
    stepping: float
    costs: Mapping[str, float] = field(default_factory=dict)


def run_chunk(
    simulation: type[Training],
    settings: Mapping[str, Any],
    state: Mapping[str, Any] | None,
    steps: int,
    *,
    draw: bool = True,
    keeper: Keeper | None = None,
) -> Chunk:
    """Start a run if `state` is None, or advance it, or some of its parts, by `steps`.

    `state` is that of an earlier chunk, serialized by the same kind of `keeper`. Runs on a worker, here or on another
    machine.
    """
    keeper = keeper or Pickled()
    began = time.perf_counter()
    training = simulation(**settings)
    if state is None:
        parts = _parted(training, training.start())
    else:
        parts = {name: keeper.load(saved) for name, saved in state.items()}
    costs = {}
    # With 0 steps, the state is only drawn.
    for name in parts if steps else ():
        started = time.perf_counter()
        parts[name] = _advanced(training, name, parts[name], steps)
        costs[name] = time.perf_counter() - started
    frame = training.frame(parts if training.divisible else parts[WHOLE]) if draw else None
    if state is None or steps:
        state = {name: keeper.keep(part) for name, part in parts.items()}
    return Chunk(state, frame, time.perf_counter() - began, sum(costs.values()), costs)


def _parted(training: Training, state: State) -> dict[str, State]:
    return dict(state) if training.divisible else {WHOLE: state}


def _advanced(training: Training, name: str, part: State, steps: int) -> State:
    return training.advance({name: part}, steps)[name] if training.divisible else training.advance(part, steps)
