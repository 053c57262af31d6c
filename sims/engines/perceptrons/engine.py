"""Starts a run, continues it, and evaluates its networks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sims.data.datasets import Dataset, Source
from sims.engines.kernels.overflows import ACTIVATIONS, FINITE, LOSS
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.perceptrons.kernels import steps as kernels
from sims.engines.perceptrons.kernels.shapes import Plan, Workspace
from sims.engines.perceptrons.layout import make_layout
from sims.engines.perceptrons.plan import make_plan, make_workspace
from sims.engines.recipe import Recipe
from sims.engines.resources import Resources, allocate
from sims.engines.segment import LOSSES, in_segments, prepared, state_after, unmeasured
from sims.engines.state import ANSWERS, Record, TrainingState


def start(
    architecture: Architecture,
    recipe: Recipe,
    source: Source | str,
    seeds: Sequence[int],
    precision: type[np.floating] = np.float32,
) -> TrainingState:
    """Return the state before the first step, with the initial network already measured on its first batch.

    Only the seed decides the random initial weights and the order of the batches: with the same seed, a plain network
    and its residual twin share both. Raises ValueError for an unknown dataset or an empty list of seeds.
    """
    if not seeds:
        raise ValueError("a run needs at least one seed")
    source = Source(source) if isinstance(source, str) else source
    data = source.load()
    layout = make_layout(architecture, data.features, outputs(recipe, data))
    parameters = np.stack([initial_parameters(architecture, layout, seed) for seed in seeds])
    return start_from(parameters.astype(precision), architecture, recipe, source, seeds)


def start_from(
    parameters: np.ndarray, architecture: Architecture, recipe: Recipe, source: Source, seeds: Sequence[int]
) -> TrainingState:
    """Return the state before the first step of networks with these `parameters` (seeds, parameters of the layout).

    The seeds decide only the order of the batches. Raises ValueError if the shape does not fit the architecture.
    """
    data = source.load()
    layout = make_layout(architecture, data.features, outputs(recipe, data))
    if parameters.shape != (len(seeds), layout.size):
        raise ValueError(f"parameters of shape {parameters.shape}, but {len(seeds)} seeds have {layout.size} each")
    positions = architecture.blocks + 1
    state = unmeasured(parameters, architecture, recipe, source, seeds, architecture.depth, positions)
    return _advance_segment(state, _resources(state), 0)


def advance(state: TrainingState, steps: int) -> TrainingState:
    """Return the state after `steps` more steps; `state` itself is unchanged.

    The same bits come out whether the steps are taken at once or in chunks of any size. A seed whose numbers are no
    longer finite stops there (`TrainingState.overflows`), while the others go on.
    """
    resources = _resources(state)
    return in_segments(state, steps, lambda before, count: _advance_segment(before, resources, count))


def evaluated(state: TrainingState) -> TrainingState:
    """Return the same state, with the losses and errors of `now` measured at this step, not at the last record."""
    answers: dict[str, Any] = {name: np.empty(len(state.seeds)) for name in ANSWERS}
    now = replace(state.now, **answers)
    _evaluate(_resources(state), LOSSES[state.recipe.loss], state.parameters, now)
    return replace(state, now=now)


def outputs(recipe: Recipe, data: Dataset) -> int:
    """Return the number of outputs that a network needs for the recipe's loss on that dataset."""
    return 1 if recipe.loss == "squared error" and data.classes == 2 else data.classes


def predict(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """Return outputs (seeds, points, outputs) for points (points, inputs). Batch norm uses training statistics."""
    answers, _workspace = _forward(state, points, False)
    return answers.transpose(0, 2, 1)


def layer_values(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """Return the outputs of all layers but the last, after norm and activation: (layers - 1, units, points).

    They are those of the last seed. The stem's output is the stream, a later layer's is inside its branch. Where the
    activation comes first, a layer's activation is the one that the next layer reads, the last layer's the one that
    the head reads. A dense block has as many units as it appends, or as its stem has if these are fewer; other rows are
    left out. Raises ValueError for a dropout on the skip, which an evaluation does not have.
    """
    if state.architecture.skip == "dropout":
        raise ValueError("the layers of a network with dropout on its skip cannot be read")
    plan = plan_of(state, state.source.load())
    _answers, workspace = _forward(state, points, True)
    units = min(plan.growth or plan.width, plan.width)
    if not plan.activation_first:
        return np.concatenate([workspace.stream[:1, :units], workspace.value[1:, :units]])
    slots = len(workspace.value)
    read = [*(workspace.value[(block + 1) % slots] for block in range(plan.blocks)), workspace.last]
    # What a dense block appends comes after the rows of the stem and of all earlier blocks.
    starts = [0, *(plan.width + plan.growth * block if plan.growth else 0 for block in range(plan.blocks))]
    return np.stack([rows[start : start + units] for rows, start in zip(read, starts, strict=True)])


def _forward(state: TrainingState, points: np.ndarray, keep: bool) -> tuple[np.ndarray, Workspace]:
    """Return outputs (seeds, outputs, points) and the workspace of the last seed's pass; with `keep`, of all layers."""
    data = state.source.load()
    plan = plan_of(state, data)
    dtype = state.parameters.dtype
    training = _columns(data.train_inputs, dtype)
    # Only batch norm needs the training set's statistics. For the other norms, one point is enough for the kernel.
    if state.architecture.norm != "batch":
        training = training[:, :1].copy()
    training_workspace = make_workspace(plan, training.shape[1], False, dtype)
    workspace = make_workspace(plan, len(points), keep, dtype)
    workspace = workspace._replace(
        frozen=True, mean=training_workspace.mean, batch_scale=training_workspace.batch_scale
    )
    answers = np.empty((len(state.seeds), outputs(state.recipe, data), len(points)), dtype)
    kernels.answer(plan, training, _columns(points, dtype), state.parameters, training_workspace, workspace, answers)
    return answers, workspace


def plan_of(state: TrainingState, data: Dataset) -> Plan:
    """The kernels' plan of a run's network on a data set."""
    return make_plan(state.architecture, data.features, outputs(state.recipe, data))


def _columns(points: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return a copy (features, points) of points (points, features), in the kernels' memory order."""
    return np.array(points.T, dtype, order="C")


def _resources(state: TrainingState) -> Resources[Plan, Workspace]:
    plan, dtype = plan_of(state, state.source.load()), state.parameters.dtype
    return allocate(
        state,
        plan,
        lambda points, backward: make_workspace(plan, points, backward, dtype),
        lambda x: _columns(x, dtype),
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
        np.array(state.seeds),
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
    return state_after(
        state, segment, lambda segment: _evaluate(resources, segment.loss, segment.parameters, segment.now), _quantity
    )


def _evaluate(resources: Resources[Plan, Workspace], loss: int, parameters: np.ndarray, record: Record) -> None:
    """Fill in the losses and errors of a record."""
    for points, labels, workspace, mean, error in resources.judged(record):
        kernels.evaluate(resources.plan, loss, points, labels, parameters, workspace, mean, error)


def _quantity(quantity: int, index: int) -> str | None:
    """Name the quantity that stopped being finite; None if none did."""
    if quantity == FINITE:
        return None
    if quantity == ACTIVATIONS:
        return f"stream after block {index}" if index else "stream after the stem"
    return "loss" if quantity == LOSS else f"gradient of layer {index + 1}"
