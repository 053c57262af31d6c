"""Starts a run of transformers, continues it, and evaluates its networks."""

from collections.abc import Sequence

import numpy as np

from sims.data.datasets import Source
from sims.engines.kernels.overflows import ACTIVATIONS, FINITE, LOSS
from sims.engines.recipe import Recipe
from sims.engines.resources import Resources, allocate
from sims.engines.segment import Segment, in_segments, prepared, state_after, unmeasured
from sims.engines.state import TrainingState
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.initialization import initial_parameters
from sims.engines.transformers.kernels import steps as kernels
from sims.engines.transformers.kernels.shapes import Plan, Workspace
from sims.engines.transformers.layout import make_layout
from sims.engines.transformers.plan import make_plan, make_workspace


def start(
    architecture: Transformer,
    recipe: Recipe,
    source: Source,
    seeds: Sequence[int],
    precision: type[np.floating] = np.float32,
) -> TrainingState:
    """Return the state before the first step, with the initial network already measured on its first batch.

    Only the seed decides the random initial weights and the order of the batches; perceptrons have the same order for
    the same seed. Raises ValueError for an unknown dataset, an empty list of seeds, features that cannot be split
    equally into tokens, or a loss other than cross-entropy.
    """
    if not seeds:
        raise ValueError("a run needs at least one seed")
    if recipe.loss != "cross-entropy":
        raise ValueError("transformers are trained on cross-entropy")
    data = source.load()
    layout = make_layout(architecture, data.features, data.classes)
    parameters = np.stack([initial_parameters(architecture, layout, seed) for seed in seeds]).astype(precision)
    layers, positions = architecture.depth + 2, architecture.depth + 1
    state = unmeasured(parameters, architecture, recipe, source, seeds, layers, positions)
    return _advance_segment(state, _resources(state), 0)


def advance(state: TrainingState, steps: int) -> TrainingState:
    """Return the state after `steps` more steps; `state` itself is unchanged.

    The same bits come out whether the steps are taken at once or in chunks of any size. A seed whose numbers are no
    longer finite stops there (`TrainingState.overflows`), while the others go on.
    """
    resources = _resources(state)
    return in_segments(state, steps, lambda before, count: _advance_segment(before, resources, count))


def predict(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """Return outputs (seeds, points, outputs) for points (points, features)."""
    architecture, data, dtype = state.architecture, state.source.load(), state.parameters.dtype
    plan = make_plan(architecture, data.features, data.classes)
    workspace = make_workspace(architecture, plan, len(points), False, dtype)
    answers = np.empty((len(state.seeds), data.classes, len(points)), dtype)
    order = np.arange(len(points))
    kernels.answer(plan, _tokens(points, architecture, dtype), order, state.parameters, workspace, answers)
    return answers.transpose(0, 2, 1)


def _resources(state: TrainingState) -> Resources[Plan, Workspace]:
    architecture, data, dtype = state.architecture, state.source.load(), state.parameters.dtype
    plan = make_plan(architecture, data.features, data.classes)
    return allocate(
        state,
        plan,
        lambda points, backward: make_workspace(architecture, plan, points, backward, dtype),
        lambda x: _tokens(x, architecture, dtype),
    )


def _advance_segment(state: TrainingState, resources: Resources[Plan, Workspace], steps: int) -> TrainingState:
    """Return the state after `steps` steps without a record in between; 0 steps only measure the initial network."""
    train, labels, _ = resources.train
    segment = prepared(state, steps, len(labels))
    kernels.run(
        resources.plan,
        segment.loss,
        segment.optimizer,
        segment.rates,
        segment.clip,
        state.step,
        train,
        labels,
        segment.orders,
        segment.parameters,
        segment.first,
        segment.second,
        resources.workspace,
        np.empty((2, segment.parameters.shape[1]), segment.parameters.dtype),
        segment.losses,
        segment.now.weight_gradients,
        segment.now.stream_gradients,
        segment.now.activations,
        segment.overflows,
    )

    def evaluate(segment: Segment) -> None:
        for points, labels, workspace, mean, error in resources.judged(segment.now):
            everybody = np.arange(len(labels))
            kernels.evaluate(
                resources.plan, segment.loss, points, labels, everybody, segment.parameters, workspace, mean, error
            )

    return state_after(state, segment, evaluate, lambda quantity, index: _quantity(quantity, index, state.architecture))


def _tokens(inputs: np.ndarray, architecture: Transformer, dtype: np.dtype) -> np.ndarray:
    """Return points (points, features) as (tokens, features of a token, points)."""
    return np.ascontiguousarray(inputs.T, dtype).reshape(architecture.tokens, -1, len(inputs))


def _quantity(quantity: int, index: int, architecture: Transformer) -> str | None:
    """Name the quantity that stopped being finite; None if none did."""
    if quantity == FINITE:
        return None
    if quantity == ACTIVATIONS:
        return f"stream after sublayer {index}" if index else "stream after the embedding"
    if quantity == LOSS:
        return "loss"
    if index == 0:
        return "gradient of the embedding"
    return f"gradient of sublayer {index}" if index <= architecture.depth else "gradient of the head"
