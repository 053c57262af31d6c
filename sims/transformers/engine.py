"""Starting a run of transformers and taking it further."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sims.data import Dataset, Source
from sims.training.batches import batches
from sims.training.engine import LOSSES, OPTIMIZERS
from sims.training.kernels.steps import ACTIVATIONS, FINITE, LOSS
from sims.training.recipe import Recipe
from sims.training.state import Overflow, Record
from sims.transformers.architecture import Transformer
from sims.transformers.initialization import initial_parameters
from sims.transformers.kernels import steps as kernels
from sims.transformers.layout import layout
from sims.transformers.plan import plan, workspace
from sims.transformers.state import State

MOMENTS = {"sgd": (0, 0), "momentum": (1, 0), "adam": (1, 1)}
"""Numbers per parameter that an optimizer keeps, of the first and of the second kind"""


def start(
    architecture: Transformer,
    recipe: Recipe,
    source: Source,
    seeds: Sequence[int],
    precision: type[np.floating] = np.float32,
) -> State:
    """The state before the first step, with the initial network already measured on its first batch.

    A seed decides the initial weights and the order of the batches, and nothing else does; the order is that which
    `sims.training` takes for the same seed. Raises ValueError for an unknown dataset, an empty list of seeds, features
    that the tokens cannot share, or a loss other than cross-entropy.
    """
    if not seeds:
        raise ValueError("a run needs at least one seed")
    if recipe.loss != "cross-entropy":
        raise ValueError("transformers are trained on cross-entropy")
    data = source.load()
    where = layout(architecture, data.features, data.classes)
    parameters = np.stack([initial_parameters(architecture, where, seed) for seed in seeds]).astype(precision)
    first, second = (np.zeros((len(seeds), kept * where.size), precision) for kept in MOMENTS[recipe.optimizer])
    state = State(
        architecture=architecture, recipe=recipe, source=source, seeds=tuple(seeds), step=0, parameters=parameters,
        first_moment=first, second_moment=second, losses=np.empty((0, len(seeds)), np.float32),
        now=_blank(architecture, 0, len(seeds)), records=(), overflows=(None,) * len(seeds),
    )  # fmt: skip
    return _onward(state, data, 0)


def advance(state: State, steps: int) -> State:
    """The state `steps` steps later; `state` itself stays as it was.

    The same bits come out whether the steps are taken at once or in chunks of any size. A seed that leaves the finite
    numbers stops there (`State.overflows`) while the others go on.
    """
    data = state.source.load()
    last = state.step + steps
    while state.step < last:
        pause = (state.step // state.recipe.record_every + 1) * state.recipe.record_every
        state = _onward(state, data, min(pause, last) - state.step)
    return state


def _blank(architecture: Transformer, step: int, seeds: int) -> Record:
    places = architecture.depth + 1
    return Record(
        step=step,
        train_loss=np.zeros(seeds),
        train_error=np.zeros(seeds),
        test_loss=np.zeros(seeds),
        test_error=np.zeros(seeds),
        weight_gradients=np.zeros((seeds, places + 1)),
        stream_gradients=np.zeros((seeds, places)),
        activations=np.zeros((seeds, places)),
    )


def _onward(state: State, data: Dataset, steps: int) -> State:
    """The state after `steps` steps without a record in between; for 0 steps, the initial network is measured."""
    recipe, seeds, architecture = state.recipe, len(state.seeds), state.architecture
    how, kind = plan(architecture, data.features, data.classes), state.parameters.dtype
    train = _tokens(data.train_inputs, architecture, kind)
    count = len(data.train_labels)
    orders = np.stack([batches(recipe, seed, count, state.step, max(steps, 1)) for seed in state.seeds])
    times = np.arange(state.step + 1, state.step + steps + 1)
    rates = recipe.learning_rate * np.minimum(times / max(recipe.warmup, 1), 1)
    parameters, first, second = (each.copy() for each in (state.parameters, state.first_moment, state.second_moment))
    losses = np.full((steps, seeds), np.nan, np.float32)
    now = _blank(architecture, state.step + steps, seeds)
    for seed, overflow in enumerate(state.overflows):
        if overflow is not None:
            now.weight_gradients[seed] = state.now.weight_gradients[seed]
            now.stream_gradients[seed] = state.now.stream_gradients[seed]
            now.activations[seed] = state.now.activations[seed]
    spoiled = np.array([[0, overflow is not None, 0] for overflow in state.overflows])
    loss = LOSSES[recipe.loss]
    kernels.run(
        how, loss, OPTIMIZERS[recipe.optimizer], rates, np.inf if recipe.clip is None else recipe.clip,
        state.step, train, data.train_labels, orders, parameters, first, second,
        workspace(architecture, how, orders.shape[2], True, kind), np.empty(parameters.shape[1], kind), losses,
        now.weight_gradients, now.stream_gradients, now.activations, spoiled,
    )  # fmt: skip
    recorded = now.step % recipe.record_every == 0
    if recorded:
        for points, labels, mean, error in (
            (train, data.train_labels, now.train_loss, now.train_error),
            (_tokens(data.test_inputs, architecture, kind), data.test_labels, now.test_loss, now.test_error),
        ):
            work = workspace(architecture, how, len(labels), False, kind)
            kernels.evaluate(how, loss, points, labels, np.arange(len(labels)), parameters, work, mean, error)
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
            old or (Overflow(int(step), _quantity(what, place, architecture)) if what != FINITE else None)
            for old, (step, what, place) in zip(state.overflows, spoiled, strict=True)
        ),
    )


def _tokens(inputs: np.ndarray, architecture: Transformer, kind: np.dtype) -> np.ndarray:
    """Points (points, features) as (tokens, features of a token, points)."""
    return np.ascontiguousarray(inputs.T, kind).reshape(architecture.tokens, -1, len(inputs))


def _quantity(what: int, place: int, architecture: Transformer) -> str:
    """The words for what left the finite numbers."""
    if what == ACTIVATIONS:
        return f"stream after sublayer {place}" if place else "stream after the embedding"
    if what == LOSS:
        return "loss"
    if place == 0:
        return "gradient of the embedding"
    return f"gradient of sublayer {place}" if place <= architecture.depth else "gradient of the head"
