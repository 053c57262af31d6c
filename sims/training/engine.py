"""Starting a run, taking it further, and asking it for answers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sims.data import Dataset, Source
from sims.training.architecture import Architecture
from sims.training.batches import batches
from sims.training.initialization import initial_parameters
from sims.training.kernels import steps as kernels
from sims.training.kernels.losses import CROSS_ENTROPY, SQUARED_ERROR
from sims.training.kernels.optimizers import ADAM, MOMENTUM, SGD
from sims.training.kernels.shapes import Plan, Workspace
from sims.training.layout import layout
from sims.training.plan import plan, workspace
from sims.training.recipe import Recipe
from sims.training.state import ANSWERS, Overflow, Record, State

LOSSES = {"cross-entropy": CROSS_ENTROPY, "squared error": SQUARED_ERROR}
OPTIMIZERS = {"sgd": SGD, "momentum": MOMENTUM, "adam": ADAM}


def start(
    architecture: Architecture,
    recipe: Recipe,
    source: Source | str,
    seeds: Sequence[int],
    precision: type[np.floating] = np.float32,
) -> State:
    """The state before the first step, with the initial network already measured on its first batch.

    A seed decides the initial weights and the order of the batches, and nothing else does: the same seed gives a plain
    network and its residual twin the same of both. Raises ValueError for an unknown dataset or an empty list of seeds.
    """
    if not seeds:
        raise ValueError("a run needs at least one seed")
    source = Source(source) if isinstance(source, str) else source
    data = source.load()
    where = layout(architecture, data.features, outputs(recipe, data))
    parameters = np.stack([initial_parameters(architecture, where, seed) for seed in seeds])
    return start_from(parameters.astype(precision), architecture, recipe, source, seeds)


def start_from(
    parameters: np.ndarray, architecture: Architecture, recipe: Recipe, source: Source, seeds: Sequence[int]
) -> State:
    """The state before the first step of networks with these `parameters`, shape (seeds, parameters of the layout).

    The seeds decide the order of the batches only. Raises ValueError where the shape does not fit the architecture.
    """
    data = source.load()
    where = layout(architecture, data.features, outputs(recipe, data))
    if parameters.shape != (len(seeds), where.size):
        raise ValueError(f"parameters of shape {parameters.shape}, but {len(seeds)} seeds have {where.size} each")
    columns = {"sgd": (0, 0), "momentum": (where.size, 0), "adam": (where.size, where.size)}[recipe.optimizer]
    first, second = (np.zeros((len(seeds), each), parameters.dtype) for each in columns)
    nothing = np.empty(0)
    state = State(
        architecture=architecture,
        recipe=recipe,
        source=source,
        seeds=tuple(seeds),
        step=0,
        parameters=parameters,
        first_moment=first,
        second_moment=second,
        losses=np.empty((0, len(seeds)), np.float32),
        now=Record(0, *[nothing] * 7),
        records=(),
        overflows=(None,) * len(seeds),
    )
    return _onward(state, _outfit(state), 0)


def advance(state: State, steps: int) -> State:
    """The state `steps` steps later; `state` itself stays as it was.

    The same bits come out whether the steps are taken at once or in chunks of any size. A seed that leaves the finite
    numbers stops there (`State.overflows`) while the others go on.
    """
    outfit, last = _outfit(state), state.step + steps
    while state.step < last:
        pause = (state.step // state.recipe.record_every + 1) * state.recipe.record_every
        state = _onward(state, outfit, min(pause, last) - state.step)
    return state


def evaluated(state: State) -> State:
    """The same state, with the losses and errors of `now` measured at this very step, not at the last record."""
    answers: dict[str, Any] = {name: np.empty(len(state.seeds)) for name in ANSWERS}
    now = replace(state.now, **answers)
    _evaluate(_outfit(state), state.recipe, state.parameters, now)
    return replace(state, now=now)


def outputs(recipe: Recipe, data: Dataset) -> int:
    """How many outputs a network needs for that loss on that dataset."""
    return 1 if recipe.loss == "squared error" and data.classes == 2 else data.classes


def predict(state: State, points: np.ndarray) -> np.ndarray:
    """Outputs (seeds, points, outputs) for points (points, inputs). Batch norm takes the training set's statistics."""
    data = state.source.load()
    how = plan_of(state, data)
    kind = state.parameters.dtype
    training = _columns(data.train_inputs, kind)
    if state.architecture.norm != "batch":
        training = training[:, :1].copy()
    training_work = workspace(how, training.shape[1], False, kind)
    work = workspace(how, len(points), False, kind)
    work = work._replace(frozen=True, mean=training_work.mean, batch_scale=training_work.batch_scale)
    answers = np.empty((len(state.seeds), outputs(state.recipe, data), len(points)), kind)
    kernels.answer(how, training, _columns(points, kind), state.parameters, training_work, work, answers)
    return answers.transpose(0, 2, 1)


def plan_of(state: State, data: Dataset) -> Plan:
    return plan(state.architecture, data.features, outputs(state.recipe, data))


def _columns(points: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Points (points, features) as the kernels take them: (features, points), a copy of their own."""
    return np.array(points.T, kind, order="C")


class _Outfit(NamedTuple):
    """What all pieces of a chunk have in common: the plan, the data, and workspaces, whose contents do not matter."""

    plan: Plan
    parts: tuple[tuple[np.ndarray, np.ndarray, Workspace], ...]
    """Points (features, n), labels (n,) and a workspace for their evaluation: of the training set, then the test set"""
    work: Workspace


def _outfit(state: State) -> _Outfit:
    data, kind = state.source.load(), state.parameters.dtype
    how = plan_of(state, data)
    parts = tuple(
        (_columns(points, kind), labels, workspace(how, len(labels), False, kind))
        for points, labels in ((data.train_inputs, data.train_labels), (data.test_inputs, data.test_labels))
    )
    batch = batches(state.recipe, 0, len(data.train_labels), 0, 1).size
    return _Outfit(how, parts, workspace(how, batch, True, kind))


def _onward(state: State, outfit: _Outfit, steps: int) -> State:
    """The state after `steps` steps without a record in between; for 0 steps, the initial network is measured."""
    recipe, seeds = state.recipe, len(state.seeds)
    how, kind = outfit.plan, state.parameters.dtype
    (train, labels, _), _ = outfit.parts
    orders = np.stack([batches(recipe, seed, len(labels), state.step, max(steps, 1)) for seed in state.seeds])
    times = np.arange(state.step + 1, state.step + steps + 1)
    rates = recipe.learning_rate * np.minimum(times / max(recipe.warmup, 1), 1)
    parameters, first, second = (each.copy() for each in (state.parameters, state.first_moment, state.second_moment))
    losses = np.full((steps, seeds), np.nan, np.float32)
    places = state.architecture.blocks + 1
    now = Record(
        step=state.step + steps,
        train_loss=np.empty(seeds),
        train_error=np.empty(seeds),
        test_loss=np.empty(seeds),
        test_error=np.empty(seeds),
        weight_gradients=np.zeros((seeds, state.architecture.depth)),
        stream_gradients=np.zeros((seeds, places)),
        activations=np.zeros((seeds, places)),
    )
    for seed, overflow in enumerate(state.overflows):
        if overflow is not None:
            now.weight_gradients[seed] = state.now.weight_gradients[seed]
            now.stream_gradients[seed] = state.now.stream_gradients[seed]
            now.activations[seed] = state.now.activations[seed]
    spoiled = np.array([[0, overflow is not None, 0] for overflow in state.overflows])
    kernels.run(
        how, LOSSES[recipe.loss], OPTIMIZERS[recipe.optimizer], rates, np.inf if recipe.clip is None else recipe.clip,
        state.step, train, labels, orders, parameters, first, second,
        outfit.work, np.empty(parameters.shape[1], kind), losses,
        now.weight_gradients, now.stream_gradients, now.activations, spoiled,
    )  # fmt: skip
    recorded = now.step % recipe.record_every == 0
    if recorded:
        _evaluate(outfit, recipe, parameters, now)
    else:
        now = now.with_answers_of(state.now)
    return replace(
        state,
        step=now.step,
        parameters=parameters,
        first_moment=first,
        second_moment=second,
        losses=np.concatenate([state.losses, losses]),
        now=now,
        records=(*state.records, now) if recorded else state.records,
        overflows=tuple(
            old or (Overflow(int(step), _quantity(what, place)) if what != kernels.FINITE else None)
            for old, (step, what, place) in zip(state.overflows, spoiled, strict=True)
        ),
    )


def _evaluate(outfit: _Outfit, recipe: Recipe, parameters: np.ndarray, record: Record) -> None:
    """Fill in the losses and errors of a record."""
    results = (record.train_loss, record.train_error), (record.test_loss, record.test_error)
    for (points, labels, work), (loss, error) in zip(outfit.parts, results, strict=True):
        kernels.evaluate(outfit.plan, LOSSES[recipe.loss], points, labels, parameters, work, loss, error)


def _quantity(what: int, place: int) -> str:
    """The words for what left the finite numbers."""
    if what == kernels.ACTIVATIONS:
        return f"stream after block {place}" if place else "stream after the stem"
    return "loss" if what == kernels.LOSS else f"gradient of layer {place + 1}"
