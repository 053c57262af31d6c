"""Steps count negligible numbers as zero, so that they meet no subnormal ones; what is measured keeps everything."""

from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

from sims.engines.kernels.losses import CROSS_ENTROPY
from sims.engines.kernels.optimizers import SMALLEST_GRADIENT, power
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.engines.perceptrons.engine import plan_of
from sims.engines.perceptrons.kernels import steps as kernels
from sims.engines.perceptrons.plan import make_workspace
from sims.engines.segment import batches

TINY = np.finfo(np.float32).tiny
EVERY = 4
FADING = Architecture(depth=100, width=32, skip="none", initialization="default")
HEALTHY = Architecture(depth=20, width=32, norm="pre-layer", final_norm=True)


def begun(architecture: Architecture, optimizer: Any = "sgd") -> TrainingState:
    return start(architecture, Recipe(optimizer, 0.01, 100, record_every=EVERY), "teacher", (0,))


def measured(state: TrainingState, parameters: np.ndarray, step: int) -> dict[str, np.ndarray]:
    """The gradient and the measures of the batch of that step, by a pass that keeps everything."""
    data = state.source.load()
    rows = batches(state.recipe, 0, len(data.train_labels), step - 1, 1)[0]
    plan = plan_of(state, data)
    workspace = make_workspace(plan, len(rows), True, parameters.dtype)
    workspace.inputs[:] = data.train_inputs[rows].T
    gradient, weights = np.empty_like(parameters), np.empty(state.architecture.depth)
    streams, activations = np.empty((2, state.architecture.blocks + 1))
    labels = np.array(data.train_labels[rows])
    kernels.one_pass(plan, CROSS_ENTROPY, parameters, labels, workspace, True, gradient, weights, streams)
    kernels.measure_activations(workspace.stream, plan.width, plan.growth, activations)
    return {
        "gradient": gradient,
        "weight_gradients": weights,
        "stream_gradients": streams,
        "activations": activations,
    }


def test_steps_leave_no_subnormal_number_in_the_state() -> None:
    state = advance(begun(FADING, "adam"), 6)
    assert (state.second_moment == 0).any()
    for values in (state.first_moment, state.second_moment):
        assert not ((values != 0) & (np.abs(values) < TINY)).any()


def test_a_gradient_that_adam_leaves_out_would_move_nothing() -> None:
    """The reason for the bound, in single precision: the step that is left out, beside a weight of 1/100."""
    rate, weight = np.float32(0.01), np.float32(0.01)
    assert weight - rate * np.float32(SMALLEST_GRADIENT) / np.float32(1e-8) == weight


@pytest.mark.parametrize("steps", [EVERY, EVERY + 1])
@pytest.mark.parametrize("architecture", [FADING, HEALTHY])
def test_what_is_measured_keeps_the_smallest_numbers_to_the_last_bit(architecture: Architecture, steps: int) -> None:
    before = advance(begun(architecture), steps - 1)
    now = advance(before, 1).now
    measurement = measured(before, before.parameters[0], steps)
    for name in ("weight_gradients", "stream_gradients", "activations"):
        assert getattr(now, name)[0].tolist() == measurement[name].tolist()
    if architecture is FADING:
        assert 0 < now.stream_gradients.min() < TINY


def test_steps_that_never_get_there_are_the_same_to_the_last_bit() -> None:
    state = advance(begun(HEALTHY), 2 * EVERY + 1)
    parameters = begun(HEALTHY).parameters[0]
    for step in range(1, state.step + 1):
        parameters = parameters - np.float32(0.01) * measured(state, parameters, step)["gradient"]
    assert parameters.tobytes() == state.parameters[0].tobytes()


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_steps_that_do_are_the_same_whether_they_are_measured_or_not(optimizer: str) -> None:
    whole, chunked = advance(begun(FADING, optimizer), 9), begun(FADING, optimizer)
    for _ in range(9):
        chunked = advance(chunked, 1)
    assert whole.parameters.tobytes() == chunked.parameters.tobytes()
    assert whole.second_moment.tobytes() == chunked.second_moment.tobytes()
    for one, other in zip(whole.records, chunked.records, strict=True):
        assert one.weight_gradients.tobytes() == other.weight_gradients.tobytes()


@pytest.mark.parametrize("base", [0.9, 0.999])
def test_powers_by_squaring_against_forty_digits(base: float) -> None:
    exponents = [0, 1, 2, 3, 10, 599, 2400]
    with localcontext() as context:
        context.prec = 40
        exact = [float(Decimal(base) ** exponent) for exponent in exponents]
    assert [power(base, exponent) for exponent in exponents] == pytest.approx(exact, rel=1e-12, abs=0)
