"""Starting a run, taking it further, and asking it for answers."""

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
from sims.engines.state import ANSWERS, Record, TrainingState
from sims.engines.stretch import LOSSES, after, ahead, in_stretches, unmeasured


def start(
    architecture: Architecture,
    recipe: Recipe,
    source: Source | str,
    seeds: Sequence[int],
    precision: type[np.floating] = np.float32,
) -> TrainingState:
    """The state before the first step, with the initial network already measured on its first batch.

    A seed decides the initial weights and the order of the batches, and nothing else does: the same seed gives a plain
    network and its residual twin the same of both. Raises ValueError for an unknown dataset or an empty list of seeds.
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
    """The state before the first step of networks with these `parameters`, shape (seeds, parameters of the layout).

    The seeds decide the order of the batches only. Raises ValueError where the shape does not fit the architecture.
    """
    data = source.load()
    layout = make_layout(architecture, data.features, outputs(recipe, data))
    if parameters.shape != (len(seeds), layout.size):
        raise ValueError(f"parameters of shape {parameters.shape}, but {len(seeds)} seeds have {layout.size} each")
    positions = architecture.blocks + 1
    state = unmeasured(parameters, architecture, recipe, source, seeds, architecture.depth, positions)
    return _onward(state, _resources(state), 0)


def advance(state: TrainingState, steps: int) -> TrainingState:
    """The state `steps` steps later; `state` itself stays as it was.

    The same bits come out whether the steps are taken at once or in chunks of any size. A seed that leaves the finite
    numbers stops there (`TrainingState.overflows`) while the others go on.
    """
    resources = _resources(state)
    return in_stretches(state, steps, lambda before, count: _onward(before, resources, count))


def evaluated(state: TrainingState) -> TrainingState:
    """The same state, with the losses and errors of `now` measured at this very step, not at the last record."""
    answers: dict[str, Any] = {name: np.empty(len(state.seeds)) for name in ANSWERS}
    now = replace(state.now, **answers)
    _evaluate(_resources(state), LOSSES[state.recipe.loss], state.parameters, now)
    return replace(state, now=now)


def outputs(recipe: Recipe, data: Dataset) -> int:
    """How many outputs a network needs for that loss on that dataset."""
    return 1 if recipe.loss == "squared error" and data.classes == 2 else data.classes


def predict(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """Outputs (seeds, points, outputs) for points (points, inputs). Batch norm takes the training set's statistics."""
    answers, _workspace = _forward(state, points, False)
    return answers.transpose(0, 2, 1)


def layer_values(state: TrainingState, points: np.ndarray) -> np.ndarray:
    """What every layer but the last gives after its norm and activation: (layers - 1, units, points), of the last seed.

    The stem's is the stream itself, a later layer's its branch's. A dense block has as many units as it appends; the
    other rows of the stem are left out.
    """
    plan = plan_of(state, state.source.load())
    _answers, workspace = _forward(state, points, True)
    units = plan.growth or plan.width
    return np.concatenate([workspace.stream[:1, :units], workspace.value[1:, :units]])


def _forward(state: TrainingState, points: np.ndarray, keep: bool) -> tuple[np.ndarray, Workspace]:
    """Outputs (seeds, outputs, points), and the workspace of the last seed's pass; with `keep`, it holds all layers."""
    data = state.source.load()
    plan = plan_of(state, data)
    dtype = state.parameters.dtype
    training = _columns(data.train_inputs, dtype)
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
    return make_plan(state.architecture, data.features, outputs(state.recipe, data))


def _columns(points: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Points (points, features) as the kernels take them: (features, points), a copy of their own."""
    return np.array(points.T, dtype, order="C")


def _resources(state: TrainingState) -> Resources[Plan, Workspace]:
    plan, dtype = plan_of(state, state.source.load()), state.parameters.dtype
    return allocate(
        state,
        plan,
        lambda points, backward: make_workspace(plan, points, backward, dtype),
        lambda x: _columns(x, dtype),
    )


def _onward(state: TrainingState, resources: Resources[Plan, Workspace], steps: int) -> TrainingState:
    """The state after `steps` steps without a record in between; for 0 steps, the initial network is measured."""
    train, labels, _ = resources.train
    todo = ahead(state, steps, len(labels))
    kernels.run(
        resources.plan,
        todo.loss,
        todo.optimizer,
        todo.rates,
        todo.clip,
        state.step,
        np.array(state.seeds),
        train,
        labels,
        todo.orders,
        todo.parameters,
        todo.first,
        todo.second,
        resources.workspace,
        np.empty((2, todo.parameters.shape[1]), todo.parameters.dtype),
        todo.losses,
        todo.now.weight_gradients,
        todo.now.stream_gradients,
        todo.now.activations,
        todo.overflows,
    )
    return after(state, todo, lambda done: _evaluate(resources, done.loss, done.parameters, done.now), _quantity)


def _evaluate(resources: Resources[Plan, Workspace], loss: int, parameters: np.ndarray, record: Record) -> None:
    """Fill in the losses and errors of a record."""
    for points, labels, workspace, mean, error in resources.judged(record):
        kernels.evaluate(resources.plan, loss, points, labels, parameters, workspace, mean, error)


def _quantity(quantity: int, index: int) -> str | None:
    """The words for what left the finite numbers."""
    if quantity == FINITE:
        return None
    if quantity == ACTIVATIONS:
        return f"stream after block {index}" if index else "stream after the stem"
    return "loss" if quantity == LOSS else f"gradient of layer {index + 1}"
