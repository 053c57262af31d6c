"""Gradients without calculus: nudge a number up and down, run the rest of the block, and compare the losses."""

from collections.abc import Callable
from types import SimpleNamespace as Tensors

import numpy as np

from sims.instruments.hand_derived.block_plan import Plan, forward

Loss = Callable[[np.ndarray], np.ndarray]
"""Outputs (..., tokens, width) of a block → the loss of each"""


def nudged(values: np.ndarray, step: float) -> np.ndarray:
    """Copies of an array, (2, size, *shape): each entry raised by `step` in one copy and lowered in another."""
    moves = step * np.eye(values.size, dtype=values.dtype).reshape(-1, *values.shape)
    return np.stack([values + moves, values - moves])


def slopes(values: np.ndarray, step: float, loss: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """∂loss/∂values, of the same shape, by central differences. `loss` takes many copies at once."""
    copies = nudged(values, step)
    up, down = loss(copies.reshape(-1, *values.shape)).reshape(2, *values.shape)
    difference: np.ndarray = (up - down) / (2 * step)
    return difference


def of_weight(plan: Plan, x: np.ndarray, w: Tensors, name: str, loss: Loss, step: float) -> np.ndarray:
    """The gradient of a weight of a block, of its shape: run the whole block again for every entry."""

    def rerun(copies: np.ndarray) -> np.ndarray:
        shaped = copies[:, None, :] if copies.ndim == 2 else copies
        return loss(forward(plan, x, Tensors(**{**vars(w), name: shaped})).y)

    return slopes(getattr(w, name), step, rerun)


def of_tensor(plan: Plan, t: Tensors, w: Tensors, name: str, loss: Loss, step: float) -> np.ndarray:
    """The gradient of a tensor in a block, of its shape: run the lines again that come after the one that wrote it."""
    rest = plan[writer(plan, t, w, name) :]

    def rerun(copies: np.ndarray) -> np.ndarray:
        again = Tensors(**{**vars(t), name: copies})
        for line in rest:
            line.forward(again, w)
        return loss(again.y)

    return slopes(getattr(t, name), step, rerun)


def writer(plan: Plan, t: Tensors, w: Tensors, name: str) -> int:
    """The number of the line that writes a tensor; 0 for the input. Raises KeyError if no line does."""
    again = Tensors(x=t.x)
    for number, line in enumerate(plan, 1):
        if hasattr(again, name):
            return number - 1
        line.forward(again, w)
    if not hasattr(again, name):
        raise KeyError(name)
    return len(plan)


def relative_error(computed: np.ndarray, expected: np.ndarray) -> float:
    """‖found − wanted‖ / ‖wanted‖ of arrays of one shape; 0 if both are 0."""
    away, length = (float(np.linalg.norm(np.asarray(array, np.float64))) for array in (computed - expected, expected))
    return away / length if length else float(away > 0)
