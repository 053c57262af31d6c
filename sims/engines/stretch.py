"""A stretch of steps without a record in between: the arrays that kernels write to, and the state that they leave."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from sims.engines.kernels.losses import CROSS_ENTROPY, SQUARED_ERROR
from sims.engines.kernels.optimizers import ADAM, MOMENTUM, SGD
from sims.engines.perceptrons.kernels.steps import FINITE
from sims.engines.recipe import Recipe
from sims.engines.state import Overflow, Record

S = TypeVar("S")
"""A state of `sims.engines.perceptrons` or of `sims.engines.transformers`"""

LOSSES = {"cross-entropy": CROSS_ENTROPY, "squared error": SQUARED_ERROR}
OPTIMIZERS = {"sgd": SGD, "momentum": MOMENTUM, "adam": ADAM}
MOMENTS = {"sgd": (0, 0), "momentum": (1, 0), "adam": (1, 1)}
"""Numbers per parameter that an optimizer keeps, of the first and of the second kind"""


def moments(recipe: Recipe, parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the optimizer keeps before the first step, for `parameters` (seeds, P): zeros, or no columns."""
    seeds, size = parameters.shape
    first, second = (np.zeros((seeds, kept * size), parameters.dtype) for kept in MOMENTS[recipe.optimizer])
    return first, second


def batches(recipe: Recipe, seed: int, points: int, first: int, steps: int) -> np.ndarray:
    """Which of `points` training points make up the batches of the steps first + 1 … first + steps: (steps, batch).

    A function of its arguments alone: the order of an epoch comes from the seed and the number of the epoch.
    """
    if recipe.batch is None or recipe.batch >= points:
        return np.tile(np.arange(points), (steps, 1))
    per_epoch = points // recipe.batch
    epochs = range(first // per_epoch, (first + steps - 1) // per_epoch + 1)
    orders = [np.random.default_rng((seed, 1, epoch)).permutation(points) for epoch in epochs]
    rows = np.concatenate([each[: per_epoch * recipe.batch].reshape(per_epoch, recipe.batch) for each in orders])
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
    """(seeds, 3) step, what, where"""


def ahead(state: Any, steps: int, points: int) -> Stretch:
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


def after(state: S, done: Stretch, evaluate: Callable[[Stretch], None], quantity: Callable[[int, int], str]) -> S:
    """The state behind a stretch that the kernels have taken.

    `evaluate` measures the losses and errors of `done.now` where a record is due; `quantity` says what left the finite
    numbers, from the kernels' two numbers for it.
    """
    before: Any = state
    now, recorded = done.now, done.now.step % before.recipe.record_every == 0
    if recorded:
        evaluate(done)
    else:
        now = now.with_answers_of(before.now)
    following: S = replace(
        before,
        step=now.step,
        parameters=done.parameters,
        first_moment=done.first,
        second_moment=done.second,
        losses=np.concatenate([before.losses, done.losses]),
        now=now,
        records=(*before.records, now) if recorded else before.records,
        overflows=tuple(
            old or (Overflow(int(step), quantity(what, place)) if what != FINITE else None)
            for old, (step, what, place) in zip(before.overflows, done.overflows, strict=True)
        ),
    )
    return following
