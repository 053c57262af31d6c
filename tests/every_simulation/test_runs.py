"""How every training runs: the same however it is cut, divided, drawn again or continued."""

import numpy as np
import pytest

from sims.chunks.chunk import run_chunk
from sims.contract import parameters
from sims.kept import results
from tests.every_simulation.frames import (
    SIMULATIONS,
    SLOW,
    TRAININGS,
    every_training,
    every_training_in_time,
    short_run,
)
from tests.settings import ends, shortest
from tests.tiers import first


@every_training_in_time
def test_a_training_is_the_same_however_it_is_cut(name: str) -> None:
    simulation = SIMULATIONS[name]
    settings = simulation().settings()
    begun = run_chunk(simulation, settings, None, 0)
    at_once = run_chunk(simulation, settings, begun.state, 5)
    cut = begun
    for steps in (1, 3, 1):
        cut = run_chunk(simulation, settings, cut.state, steps)
    assert begun.frame.step == 0
    assert cut.frame.step == at_once.frame.step == 5
    for key, quantity in at_once.frame.quantities.items():
        same = np.array_equal(quantity.values, cut.frame[key], equal_nan=quantity.values.dtype.kind == "f")
        assert same, key


@every_training
def test_a_frame_is_reread_for_settings_that_start_no_run(name: str) -> None:
    kind = TRAININGS[name]
    training = kind(**shortest(kind))
    state = training.advance(training.start(), 2)
    frame = training.frame(state)
    for control in parameters.control_names(kind):
        if kind.restarts is not None and control not in kind.restarts:
            for value in ends(kind.param[control]):
                other = kind(**{**shortest(kind), control: value})
                assert other.reread(frame).json() == other.frame(state).json(), (control, value)
                assert results.name(other) == results.name(training)


@pytest.mark.parametrize("name", first(8, (name for name, kind in TRAININGS.items() if kind.divisible)))
def test_parts_that_are_computed_apart_make_up_the_whole(name: str) -> None:
    simulation = TRAININGS[name]
    training = simulation(**shortest(simulation))
    whole = training.advance(training.start(), 3)
    begun = run_chunk(simulation, training.settings(), None, 0)
    assert list(begun.state) == list(whole)
    assert len(whole) > 1
    apart = {}
    for part, state in reversed(begun.state.items()):
        piece = run_chunk(simulation, training.settings(), {part: state}, 3, draw=False)
        assert piece.frame is None
        apart |= piece.state
    in_order = {part: apart[part] for part in begun.state}
    actual = run_chunk(simulation, training.settings(), in_order, 0).frame
    expected = training.frame(whole)
    assert actual
    assert actual.step == expected.step
    assert list(actual.quantities) == list(expected.quantities)
    for key, quantity in expected.quantities.items():
        assert quantity.values.tobytes() == actual[key].tobytes(), key


@pytest.mark.parametrize("name", first(5, sorted(TRAININGS, key=lambda name: name in SLOW)))
def test_a_training_stops_at_its_last_step(name: str) -> None:
    frame = short_run(name)[-1]
    assert frame.step == frame.steps
    assert frame.finished
