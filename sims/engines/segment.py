"""Prepares a segment of a run, some steps without a record in between, for the kernels; makes the state after it."""

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
"""Optimizer → how many first and second moments it keeps per parameter"""


def unmeasured(
    parameters: np.ndarray,
    architecture: A,
    recipe: Recipe,
    source: Source,
    seeds: Sequence[int],
    layers: int,
    positions: int,
) -> TrainingState[A]:
    """Return the state before the first step, for `parameters` (seeds, P), with a blank record of `layers` weight
    matrices and `positions` on the stream."""
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


def in_segments(
    state: TrainingState[A], steps: int, advance: Callable[[TrainingState[A], int], TrainingState[A]]
) -> TrainingState[A]:
    """Return the state `steps` steps later; `advance` takes the steps up to each record that is due."""
    # Records are due at multiples of `record_every` of the whole run, so it does not matter where a run is cut.
    last, interval = state.step + steps, state.recipe.record_every
    while state.step < last:
        state = advance(state, min(interval - state.step % interval, last - state.step))
    return state


def batches(recipe: Recipe, seed: int, points: int, first: int, steps: int) -> np.ndarray:
    """Return the indices of the training points in the batches of the steps first + 1 … first + steps: (steps, batch).

    It depends only on its arguments, so a run can be cut anywhere: the order of an epoch comes from the seed and the
    number of the epoch. `points` is the size of the training set.
    """
    if recipe.batch is None or recipe.batch >= points:
        return np.tile(np.arange(points), (steps, 1))
    per_epoch = points // recipe.batch
    epochs = range(first // per_epoch, (first + steps - 1) // per_epoch + 1)
    # Stream 1 of the seed: stream 0 draws the initial weights.
    orders = [np.random.default_rng((seed, 1, epoch)).permutation(points) for epoch in epochs]
    # The incomplete last batch of each epoch is left out.
    rows = np.concatenate([order[: per_epoch * recipe.batch].reshape(per_epoch, recipe.batch) for order in orders])
    skipped = first - epochs[0] * per_epoch
    return rows[skipped : skipped + steps]


@dataclass(frozen=True)
class Segment:
    """The arguments of either engine's kernels for some steps, and the arrays that they write to.

    With 0 steps, the kernels only measure the first batch.
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


def prepared(state: TrainingState, steps: int, points: int) -> Segment:
    """Prepare the next `steps` steps of a state of either engine, over `points` training points."""
    recipe, seeds, last = state.recipe, len(state.seeds), state.step + steps
    times = np.arange(state.step + 1, last + 1)
    measured = {}
    for name in ("weight_gradients", "stream_gradients", "activations"):
        before = getattr(state.now, name)
        measured[name] = np.zeros_like(before)
        # The kernels skip seeds that have diverged, so the last measures of these must be carried over.
        for seed, overflow in enumerate(state.overflows):
            if overflow is not None:
                measured[name][seed] = before[seed]
    return Segment(
        optimizer=OPTIMIZERS[recipe.optimizer],
        loss=LOSSES[recipe.loss],
        rates=recipe.learning_rate * np.minimum(times / max(recipe.warmup, 1), 1),
        clip=np.inf if recipe.clip is None else recipe.clip,
        # Even 0 steps need one batch: it is only measured.
        orders=np.stack([batches(recipe, seed, points, state.step, max(steps, 1)) for seed in state.seeds]),
        parameters=state.parameters.copy(),
        first=state.first_moment.copy(),
        second=state.second_moment.copy(),
        # Steps that a diverged seed does not take keep NaN as their loss.
        losses=np.full((steps, seeds), np.nan, np.float32),
        now=Record(last, *(np.zeros(seeds) for _ in range(4)), **measured),
        # Any quantity but FINITE (0) makes the kernels skip a seed.
        overflows=np.array([[0, overflow is not None, 0] for overflow in state.overflows]),
    )


def state_after(
    state: TrainingState[A],
    segment: Segment,
    evaluate: Callable[[Segment], None],
    quantity: Callable[[int, int], str | None],
) -> TrainingState[A]:
    """Return the state after a segment whose steps the kernels have taken.

    `evaluate` measures the losses and errors of `segment.now` if a record is due. `quantity` names what stopped being
    finite, from the kernels' two numbers for it; None if nothing did.
    """
    now, recorded = segment.now, segment.now.step % state.recipe.record_every == 0
    if recorded:
        evaluate(segment)
    else:
        now = now.with_answers_of(state.now)
    return replace(
        state,
        step=now.step,
        parameters=segment.parameters,
        first_moment=segment.first,
        second_moment=segment.second,
        losses=np.concatenate([state.losses, segment.losses]),
        now=now,
        records=(*state.records, now) if recorded else state.records,
        overflows=tuple(
            # The first overflow of a seed stays: the kernels do not run the seed again.
            old or (Overflow(int(step), words) if (words := quantity(number, index)) else None)
            for old, (step, number, index) in zip(state.overflows, segment.overflows, strict=True)
        ),
    )
