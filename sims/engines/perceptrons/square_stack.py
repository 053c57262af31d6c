"""A stack of square layers, without stem or head, that learns a map from vectors to vectors of the same width.

It is the smallest network in which plain and residual layers can be compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sims.engines.kernels.activations import IDENTITY, TANH
from sims.engines.kernels.matmul import TILE
from sims.engines.kernels.optimizers import ADAM
from sims.engines.orthogonal import orthogonal
from sims.engines.perceptrons.kernels import square_stack as kernels

Start = Literal["zero", "small", "default", "xavier", "orthogonal"]


@dataclass(frozen=True)
class Stack:
    """`layers` layers h ← φ(W h), or h ← h + φ(W h) with `skip`, without biases; the last one has no φ.

    `hidden` is φ: "linear" (none) or "tanh". `start` gives the initial W: "zero"; "default", uniform within ±1/√width,
    as torch's linear layers; "xavier", normal with variance 1/width, which keeps a signal's size on average; "small", a
    tenth of that; "orthogonal", which keeps the size exactly.
    """

    layers: int
    width: int = 16
    skip: bool = True
    hidden: Literal["linear", "tanh"] = "linear"
    start: Start = "default"


@dataclass(frozen=True)
class MatchingTask:
    """What is learned, and how: `inputs` and `targets` (width, points), all of them in every step of Adam.

    After each step the weights shrink by the factor 1 − learning_rate · weight_decay. Without `learns`, they only
    shrink.
    """

    inputs: np.ndarray
    targets: np.ndarray
    learning_rate: float = 0.01
    weight_decay: float = 0.0
    learns: bool = True


@dataclass(frozen=True)
class StackState:
    """A run of several seeds after `step` steps: everything it needs to continue."""

    stack: Stack
    seeds: tuple[int, ...]
    step: int
    weights: np.ndarray
    """(seeds, layers, width, width)"""
    first_moment: np.ndarray
    second_moment: np.ndarray
    losses: np.ndarray
    """(step, seeds) mean squared error before the update of every step; NaN from a divergence on"""
    lost: np.ndarray
    """(seeds,) the step at which a seed stopped being finite, or 0"""


def start(stack: Stack, seeds: Sequence[int]) -> StackState:
    """Return the state before the first step. With the same seed, a plain stack and its residual twin share weights."""
    weights = np.stack([_initial(stack, seed) for seed in seeds]).astype(np.float32)
    size = weights[0].size
    first, second = (np.zeros((len(seeds), size), np.float32) for _ in range(2))
    losses = np.empty((0, len(seeds)))
    return StackState(stack, tuple(seeds), 0, weights, first, second, losses, np.zeros(len(seeds), np.int64))


def _initial(stack: Stack, seed: int) -> np.ndarray:
    random, shape = np.random.default_rng((seed, 0)), (stack.layers, stack.width, stack.width)
    match stack.start:
        case "zero":
            return np.zeros(shape)
        case "default":
            return random.uniform(-(stack.width**-0.5), stack.width**-0.5, shape)
        case "xavier" | "small":
            return random.normal(0, (1 if stack.start == "xavier" else 0.1) * stack.width**-0.5, shape)
        case "orthogonal":
            return np.stack([orthogonal(shape[1:], random) for _ in range(stack.layers)])


def advance(state: StackState, task: MatchingTask, steps: int) -> StackState:
    """Return the state after `steps` more steps, with the same bits in chunks of any size; `state` is unchanged."""
    stack, seeds = state.stack, len(state.seeds)
    dtype, points = state.weights.dtype, task.inputs.shape[1]
    weights = state.weights.reshape(seeds, -1).copy()
    first, second, lost = state.first_moment.copy(), state.second_moment.copy(), state.lost.copy()
    streams, values, packed = _room(stack, points, dtype)
    streams[0] = task.inputs
    losses = np.full((steps, seeds), np.nan)
    kernels.run(
        stack.skip,
        _hidden(stack),
        ADAM,
        task.learning_rate,
        task.weight_decay,
        task.learns,
        state.step,
        task.targets.astype(dtype),
        weights,
        first,
        second,
        streams,
        values,
        np.empty_like(streams[0]),
        np.empty_like(streams[0]),
        packed,
        np.empty(weights.shape[1], dtype),
        losses,
        lost,
    )
    return replace(
        state,
        step=state.step + steps,
        weights=weights.reshape(state.weights.shape),
        first_moment=first,
        second_moment=second,
        losses=np.concatenate([state.losses, losses]),
        lost=lost,
    )


def outputs(stack: Stack, weights: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Return the outputs (width, points) of a stack with weights (layers, width, width) for inputs (width, points)."""
    streams, values, packed = _room(stack, inputs.shape[1], weights.dtype)
    streams[0] = inputs
    kernels.forward(stack.skip, _hidden(stack), weights.reshape(-1), streams, values, packed)
    last: np.ndarray = streams[-1]
    return last


def distances(state: StackState) -> np.ndarray:
    """Return how far each layer is from copying its input: ‖W‖ with a skip, ‖W − I‖ without, over ‖I‖; (seeds, layers).

    The norms are Frobenius norms. 1 is the distance of zero from the identity.
    """
    nothing = 0.0 if state.stack.skip else np.eye(state.stack.width)
    lengths: np.ndarray = np.linalg.norm(state.weights - nothing, axis=(2, 3))
    return lengths / state.stack.width**0.5


def _hidden(stack: Stack) -> int:
    return TANH if stack.hidden == "tanh" else IDENTITY


def _room(stack: Stack, points: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return arrays for streams, branches and scratch space, for `points` points."""
    return (
        np.empty((stack.layers + 1, stack.width, points), dtype),
        np.empty((stack.layers, stack.width, points), dtype),
        np.empty((stack.width, TILE), dtype),
    )
