"""Every simulation, and frames of it that tests of the contract look at. What takes long is computed once a process."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from sims import registry
from sims.contract import parameters
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, Training
from tests.messages import Shown
from tests.settings import ends, shortest

SIMULATIONS = registry.simulations()


every = pytest.mark.parametrize("name", SIMULATIONS)


TRAININGS = {name: simulation for name, simulation in SIMULATIONS.items() if issubclass(simulation, Training)}


every_training = pytest.mark.parametrize("name", TRAININGS)


SLOW = {
    "ancestors", "convolutions", "find_illness", "language", "norms", "plateau", "reversible", "silent_bugs",
    "stability", "stream_forms", "sum_weights", "surgery", "sweep", "trained_lanes", "trained_towers",
    "value_residual",
}  # fmt: skip
"""Trainings of which a few steps cost more than a second of a processor. `make test-all` tries them, too."""


def _marked(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.exhaustive) if name in SLOW else name for name in names]


every_in_time = pytest.mark.parametrize("name", _marked(SIMULATIONS))
"""Every simulation, but the slow ones only in `make test-all`"""

every_training_in_time = pytest.mark.parametrize("name", _marked(TRAININGS))


LONGEST_RUN = 150
"""Steps after which every training shows something else than before."""


WILD: dict[str, Any] = {
    "learning_rate": 10,
    "optimizer": "sgd",
    "norm": "none",
    "skip": "additive",
    "initialization": "he",
    "depth": 32,
}
"""Settings under which a network overflows soon, for those controls that a simulation has"""


def wild(simulation: type[Simulation]) -> dict[str, Any]:
    """The longest steps that the controls allow."""
    settings = shortest(simulation)
    for control, value in WILD.items():
        if control in simulation.param:
            admitted = parameters.examine(simulation.param[control], value)
            if not isinstance(value, str) or not admitted.complaint:
                settings[control] = admitted.value
    return settings


def first_frame(simulation: Simulation) -> Frame:
    """The picture that a page opens with: a training is taken one step, so that the test is fast."""
    if not isinstance(simulation, Training):
        return simulation.compute()
    return simulation.frame(simulation.advance(simulation.start(), 1))


def looks(training: Training) -> Iterator[Frame]:
    """Frames of a run: of its start, its first step, a later one, and its last."""
    state = training.start()
    for steps in (0, 1, LONGEST_RUN, 10**6):
        state = training.advance(state, steps)
        yield training.frame(state)


def usual(name: str) -> Simulation:
    """A simulation at the defaults of its controls; a training with the least work that its controls allow."""
    kind = SIMULATIONS[name]
    return kind(**shortest(kind)) if issubclass(kind, Training) else kind()


@cache
def usual_frame(name: str) -> Frame:
    """The picture that such a simulation opens with."""
    return first_frame(usual(name))


@cache
def short_run(name: str) -> tuple[Frame, ...]:
    """What there is to see of a training's shortest run."""
    return tuple(looks(TRAININGS[name](**shortest(TRAININGS[name]))))


def differ(one: Frame, other: Frame) -> bool:
    """Whether two frames hold different numbers."""
    return one.json() != other.json()


def other_frames(kind: type[Simulation], *names: str) -> Iterator[tuple[dict[str, Any], Frame]]:
    """Frames of an instant simulation with one of these controls, or any, at an end of its range."""
    default = kind().settings()
    for control in names or parameters.control_names(kind):
        for value in ends(kind.param[control]):
            if value != default[control]:
                settings = {**default, control: value}
                yield settings, kind(**settings).compute()


@cache
def two_frames(name: str) -> tuple[Shown, Shown]:
    """Two pictures: of a training its start and a later step, of an instant simulation two settings."""
    kind = SIMULATIONS[name]
    if issubclass(kind, Training):
        begun, _, later = islice(looks(kind(**shortest(kind))), 3)
        return (shortest(kind), begun), (shortest(kind), later)
    default = kind().settings()
    frame = kind().compute()
    for settings, other in other_frames(kind):
        if differ(frame, other):
            return (default, frame), (settings, other)
    raise AssertionError(f"no control of {name} changes anything")
