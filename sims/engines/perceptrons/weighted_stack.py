"""A residual stack with a weight on every skip, fixed or learned, and one factor on all branches.

It is the smallest network in which both terms of a sum can be weighted: h ← λ h + α F(h).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sims.data.datasets import Dataset, Source
from sims.engines.kernels.matmul import TILE
from sims.engines.memory import aligned
from sims.engines.perceptrons.kernels import weighted_stack as kernels
from sims.engines.perceptrons.kernels.weighted_stack import Plan, Workspace
from sims.engines.recipe import Recipe
from sims.engines.segment import batches


@dataclass(frozen=True)
class WeightedStack:
    """A linear stem, one block for each of `skips`, and a linear head with biases; nothing else has any.

    A block is h ← λ h + α W₂ relu(W₁ N(h)). `skips` holds λ of every block at the start, `learned` says whether
    training changes it; `factor` is α. With `norm`, N is a LayerNorm without gain and shift, and there is another in
    front of the head; otherwise it is nothing.

    Initial weights are normal. Their variance is 1/fan-in, and 2/fan-in for W₁, so that a branch has on average the
    mean square of what it reads.
    """

    skips: tuple[float, ...]
    factor: float = 1.0
    norm: bool = False
    learned: bool = False
    width: int = 32

    @property
    def blocks(self) -> int:
        """Number of blocks, each with a weight on its skip."""
        return len(self.skips)


@dataclass(frozen=True)
class StackState:
    """A run of several seeds after `step` steps: everything it needs to continue."""

    stack: WeightedStack
    source: Source
    seeds: tuple[int, ...]
    learning_rate: float
    batch: int
    """Points in a batch"""
    step: int
    parameters: np.ndarray
    """(seeds, P): weights from stem to head, the head's biases, and λ of every block"""
    first_moment: np.ndarray
    second_moment: np.ndarray
    lost: np.ndarray
    """(seeds,) the step at which a seed stopped being finite, or 0"""

    @property
    def skips(self) -> np.ndarray:
        """(seeds, blocks) λ of every block, in double precision"""
        values: np.ndarray = self.parameters[:, -self.stack.blocks :].astype(float)
        return values


@dataclass(frozen=True)
class Answers:
    """What networks know about all training and all held-out points; each array is (seeds,).

    Of a seed that is not finite any more, loss and errors are NaN.
    """

    train_loss: np.ndarray
    """Mean cross-entropy in nats"""
    train_error: np.ndarray
    """Share of wrong answers, 0 to 1"""
    test_error: np.ndarray


def start(
    stack: WeightedStack,
    source: Source,
    seeds: Sequence[int],
    learning_rate: float,
    batch: int = 64,
    precision: type[np.floating] = np.float32,
) -> StackState:
    """Return the state before the first step of a training with Adam, without decay or clipping.

    Only the seed decides the random initial weights and the order of the batches. Raises ValueError for a stack
    without blocks.
    """
    if not stack.blocks:
        raise ValueError("a stack needs at least one block")
    data = source.load()
    parameters = np.stack([_initial(stack, data, seed) for seed in seeds]).astype(precision)
    first, second = np.zeros_like(parameters), np.zeros_like(parameters)
    lost = np.zeros(len(seeds), np.int64)
    return StackState(stack, source, tuple(seeds), learning_rate, batch, 0, parameters, first, second, lost)


def advance(state: StackState, steps: int) -> StackState:
    """Return the state after `steps` more steps, with the same bits in chunks of any size; `state` is unchanged."""
    if steps <= 0:
        return state
    data, dtype = state.source.load(), state.parameters.dtype
    plan, count = make_plan(state.stack, data), len(data.train_labels)
    recipe = Recipe("adam", state.learning_rate, state.batch)
    orders = np.stack([batches(recipe, seed, count, state.step, steps) for seed in state.seeds])
    parameters, lost = state.parameters.copy(), state.lost.copy()
    first, second = state.first_moment.copy(), state.second_moment.copy()
    kernels.run(
        plan,
        state.learning_rate,
        state.step,
        _columns(data.train_inputs, dtype),
        data.train_labels.astype(np.int64),
        orders,
        parameters,
        first,
        second,
        make_workspace(plan, orders.shape[2], True, dtype),
        np.empty(parameters.shape[1], dtype),
        lost,
    )
    step = state.step + steps
    return replace(state, step=step, parameters=parameters, first_moment=first, second_moment=second, lost=lost)


def answers(state: StackState) -> Answers:
    """Return what the networks know at this step, over all points."""
    data, dtype, shape = state.source.load(), state.parameters.dtype, len(state.seeds)
    plan, measured = make_plan(state.stack, data), []
    for points, labels in ((data.train_inputs, data.train_labels), (data.test_inputs, data.test_labels)):
        workspace = make_workspace(plan, len(points), False, dtype)
        losses, errors = np.empty(shape), np.empty(shape)
        columns = _columns(points, dtype)
        kernels.evaluate(plan, columns, labels.astype(np.int64), state.parameters, workspace, losses, errors)
        losses[state.lost > 0] = errors[state.lost > 0] = np.nan
        measured += [losses, errors]
    return Answers(measured[0], measured[1], measured[3])


def make_plan(stack: WeightedStack, data: Dataset) -> Plan:
    """Return the kernels' plan of a stack for the points of a dataset."""
    width, shapes = stack.width, [(stack.width, data.features)]
    shapes += [(width, width)] * (2 * stack.blocks) + [(data.classes, width)]
    sizes = np.array([rows * columns for rows, columns in shapes])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    table = np.array([(*shape, offset, -1) for shape, offset in zip(shapes, starts, strict=False)])
    table[-1, 3] = starts[-1]
    skips = int(starts[-1]) + data.classes
    return Plan(table, skips, stack.blocks, stack.norm, stack.factor, stack.learned)


def make_workspace(plan: Plan, batch: int, backward: bool, dtype: np.dtype) -> Workspace:
    """Return the arrays for passes over `batch` points, with a slot for each block if a backward pass follows."""
    empty = partial(aligned, dtype)
    width, features = plan.table[0, :2]
    slots = plan.blocks + 1 if backward else 1
    return Workspace(
        inputs=empty(features, batch),
        stream=empty(max(slots, 2), width, batch),
        normal=empty(slots if plan.norm else 0, width, batch),
        scale=empty(slots, batch),
        hidden=empty(slots, width, batch),
        branch=empty(width, batch),
        before=empty(width, batch),
        change=empty(width if backward else 0, batch),
        outputs=empty(plan.table[-1, 0], batch),
        labels=np.empty(batch, np.int64),
        packed=empty(int(plan.table[:, :2].max()), TILE),
    )


def _initial(stack: WeightedStack, data: Dataset, seed: int) -> np.ndarray:
    """Draw the parameters of one seed, (P,)."""
    random, plan = np.random.default_rng((seed, 0)), make_plan(stack, data)
    parts = []
    for layer, (rows, columns, _weight, _bias) in enumerate(plan.table):
        enters_relu = layer % 2 == 1 and layer < len(plan.table) - 1
        parts.append(random.normal(0, ((1 + enters_relu) / columns) ** 0.5, rows * columns))
    return np.concatenate([*parts, np.zeros(data.classes), stack.skips])


def _columns(points: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return a copy (features, points) of points (points, features), in the kernels' memory order."""
    return np.array(points.T, dtype, order="C")
