"""A stretch of steps without a record in between: the arrays that kernels write to, and the state that they leave."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sims.data.datasets import Source
from sims.engines.kernels.losses import CROSS_ENTROPY, SQUARED_ERROR
from sims.engines.kernels.optimizers import ADAM, MOMENTUM, SGD
from sims.engines.recipe import Recipe
from sims.engines.state import A, Overflow, Record, TrainingState, blank

LOSSES = {"cross-entropy": CROSS_ENTROPY, "squared error": SQUARED_ERROR}
OPTIMIZERS = {"sgd": SGD, "momentum": MOMENTUM, "adam": ADAM}
MOMENTS = {"sgd": (0, 0), "momentum": (1, 0), "adam": (1, 1)}
"""Numbers per parameter that an optimizer keeps, of the first and of the second kind"""


def unmeasured(
    parameters: np.ndarray,
    architecture: A,
    recipe: Recipe,
    source: Source,
    seeds: Sequence[int],
    layers: int,
    positions: int,
) -> TrainingState[A]:
    """The state before the first step, for `parameters` (seeds, P); its record of `layers` weight matrices and
    `positions` of the stream is blank."""
    size = parameters.shape[1]
    first, second = (np.zeros((len(seeds), count * size), parameters.dtype) for count in MOMENTS[recipe.optimizer])
    return TrainingState(
        architecture=architecture,
        recipe=recipe,
        source=source,
        seeds=tuple(seeds),
        step=0,
        parameters=parameters,
        first_moment=first,
        second_moment=second,
        losses=np.empty((0, len(seeds)), np.float32),
        now=blank(len(seeds), layers, positions),
        records=(),
        overflows=(None,) * len(seeds),
    )


def in_stretches(
    state: TrainingState[A], steps: int, onward: Callable[[TrainingState[A], int], TrainingState[A]]
) -> TrainingState[A]:
    """The state `steps` steps later, with a pause wherever a record is due; `onward` takes the steps in between."""
    last, interval = state.step + steps, state.recipe.record_every
    while state.step < last:
        state = onward(state, min(interval - state.step % interval, last - state.step))
    return state


def batches(recipe: Recipe, seed: int, points: int, first: int, steps: int) -> np.ndarray:
    """Which of `points` training points make up the batches of the steps first + 1 … first + steps: (steps, batch).

    A function of its arguments alone: the order of an epoch comes from the seed and the number of the epoch.
    """
    if recipe.batch is None or recipe.batch >= points:
        return np.tile(np.arange(points), (steps, 1))
    per_epoch = points // recipe.batch
    epochs = range(first // per_epoch, (first + steps - 1) // per_epoch + 1)
    orders = [np.random.default_rng((seed, 1, epoch)).permutation(points) for epoch in epochs]
    rows = np.concatenate([order[: per_epoch * recipe.batch].reshape(per_epoch, recipe.batch) for order in orders])
    skipped = first - epochs[0] * per_epoch
    return rows[skipped : skipped + steps]


@dataclass(frozen=True)
class Stretch:
    """What the kernels of either engine are given for some steps; they write to it.

    For 0 steps, the first batch is only measured.
    """

    optimizer: int
    loss: int
    rates: np.ndarray
    """(steps,)"""
    clip: float
    orders: np.ndarray
    """(seeds, steps, batch)"""
    parameters: np.ndarray
    first: np.ndarray
    second: np.ndarray
    losses: np.ndarray
    """(steps, seeds)"""
    now: Record
    overflows: np.ndarray
    """(seeds, 3) step, quantity, index of its block or layer (`sims.engines.kernels.overflows`)"""


def ahead(state: TrainingState, steps: int, points: int) -> Stretch:
    """The next `steps` steps of a state of either package, over `points` training points."""
    recipe, seeds, last = state.recipe, len(state.seeds), state.step + steps
    times = np.arange(state.step + 1, last + 1)
    measured = {}
    for name in ("weight_gradients", "stream_gradients", "activations"):
        before = getattr(state.now, name)
        measured[name] = np.zeros_like(before)
        for seed, overflow in enumerate(state.overflows):
            if overflow is not None:
                measured[name][seed] = before[seed]
    return Stretch(
        optimizer=OPTIMIZERS[recipe.optimizer],
        loss=LOSSES[recipe.loss],
        rates=recipe.learning_rate * np.minimum(times / max(recipe.warmup, 1), 1),
        clip=np.inf if recipe.clip is None else recipe.clip,
        orders=np.stack([batches(recipe, seed, points, state.step, max(steps, 1)) for seed in state.seeds]),
        parameters=state.parameters.copy(),
        first=state.first_moment.copy(),
        second=state.second_moment.copy(),
        losses=np.full((steps, seeds), np.nan, np.float32),
        now=Record(last, *(np.zeros(seeds) for _ in range(4)), **measured),
        overflows=np.array([[0, overflow is not None, 0] for overflow in state.overflows]),
    )


def after(
    state: TrainingState[A],
    done: Stretch,
    evaluate: Callable[[Stretch], None],
    quantity: Callable[[int, int], str | None],
) -> TrainingState[A]:
    """The state behind a stretch that the kernels have taken.

    `evaluate` measures the losses and errors of `done.now` where a record is due; `quantity` says what left the finite
    numbers, from the kernels' two numbers for it; None where nothing did.
    """
    now, recorded = done.now, done.now.step % state.recipe.record_every == 0
    if recorded:
        evaluate(done)
    else:
        now = now.with_answers_of(state.now)
    return replace(
        state,
        step=now.step,
        parameters=done.parameters,
        first_moment=done.first,
        second_moment=done.second,
        losses=np.concatenate([state.losses, done.losses]),
        now=now,
        records=(*state.records, now) if recorded else state.records,
        overflows=tuple(
            old or (Overflow(int(step), words) if (words := quantity(number, index)) else None)
            for old, (step, number, index) in zip(state.overflows, done.overflows, strict=True)
        ),
    )
