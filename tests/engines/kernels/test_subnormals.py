"""Steps flush subnormal numbers to zero; what is measured keeps them; and nobody else's arithmetic is changed."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.either import begin, onward
from sims.engines.kernels.losses import CROSS_ENTROPY
from sims.engines.kernels.subnormals import SETTABLE, flush_subnormals
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start
from sims.engines.perceptrons.engine import plan_of
from sims.engines.perceptrons.kernels import steps as kernels
from sims.engines.perceptrons.plan import make_workspace
from sims.engines.stretch import batches
from sims.engines.transformers import Transformer

TINY = np.finfo(np.float32).tiny
EVERY = 4
FADING = Architecture(depth=100, width=32, skip="none", initialization="default")
HEALTHY = Architecture(depth=20, width=32, norm="pre-layer", final_norm=True)

needs_the_register = pytest.mark.skipif(not SETTABLE, reason="this processor has no such register")


def begun(architecture: Architecture, optimizer: Any = "sgd") -> TrainingState:
    return start(architecture, Recipe(optimizer, 0.01, 100, record_every=EVERY), "teacher", (0,))


def keeps_subnormals() -> bool:
    """Whether this thread's arithmetic makes them, and takes them for more than zero."""
    quarter = np.full(64, TINY) / np.float32(4)
    return bool((quarter * np.float32(8) == 2 * TINY).all())


def in_a_thread_of_its_own(*calls: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(1) as pool:
        return [pool.submit(call).result() for call in calls]


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


@needs_the_register
def test_the_setting_belongs_to_a_thread() -> None:
    before, _, flushed, _, after = in_a_thread_of_its_own(
        keeps_subnormals,
        lambda: flush_subnormals(True),
        keeps_subnormals,
        lambda: flush_subnormals(False),
        keeps_subnormals,
    )
    assert (before, flushed, after) == (True, False, True)
    assert keeps_subnormals()


@pytest.mark.parametrize("architecture", [FADING, Transformer(depth=2, tokens=2)])
def test_a_run_leaves_the_arithmetic_of_its_thread_as_it_was(architecture: Any) -> None:
    recipe = Recipe("adam", 0.003, None, record_every=EVERY)

    def run() -> None:
        onward(begin(architecture, recipe, source("spirals"), (0,)), 3)

    assert in_a_thread_of_its_own(run, keeps_subnormals)[1]
    if SETTABLE:
        assert not in_a_thread_of_its_own(lambda: flush_subnormals(True), run, keeps_subnormals)[2]


@needs_the_register
def test_steps_leave_no_subnormal_number_in_the_state() -> None:
    state = advance(begun(FADING, "adam"), 6)
    assert (state.second_moment == 0).any()
    for values in (state.first_moment, state.second_moment):
        assert not ((values != 0) & (np.abs(values) < TINY)).any()


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
