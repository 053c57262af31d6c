"""The first of a few transformer blocks: a hand-written forward and backward pass, checked by finite differences."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace as Tensors

import numpy as np

from sims.instruments.hand_derived.block_bugs import plan_with
from sims.instruments.hand_derived.block_plan import PLANS, Plan, backward, forward
from sims.instruments.hand_derived.finite_differences import of_tensor, of_weight, relative_error

TOKENS, WIDTH, HIDDEN = 4, 8, 16

SHAPES: Mapping[str, tuple[int, ...]] = {
    "gain1": (WIDTH,),
    "q": (WIDTH, WIDTH),
    "k": (WIDTH, WIDTH),
    "v": (WIDTH, WIDTH),
    "out": (WIDTH, WIDTH),
    "gain2": (WIDTH,),
    "gate": (WIDTH, HIDDEN),
    "up": (WIDTH, HIDDEN),
    "down": (HIDDEN, WIDTH),
}
"""Name of a weight → its shape"""

MERGES = {"x": 1, "r": 6}
"""Tensors whose gradient is a sum of two routes → the line at which the routes meet, in both arrangements"""

COPIED = {"pre": {"x": "r", "r": "y"}, "post": {"x": "z1", "r": "z2"}}
"""Arrangement → the same tensors → the tensor whose gradient the skip copies"""

TYPES = {"double": np.float64, "single": np.float32}


@dataclass(frozen=True)
class Stack:
    """A random setup to examine: weights, an input, and the gradient at the output of the last block."""

    arrangement: str = "pre"
    depth: int = 1
    precision: str = "double"
    edited: str = "down"
    change: float = 0.0
    """Added to the first entry of the first block's weight `edited`."""
    seed: int = 0

    def drawn(self) -> tuple[np.ndarray, list[Tensors], np.ndarray]:
        """Draw the input (tokens, width), the weights of every block, and the upstream gradient (tokens, width)."""
        rng, kind = np.random.default_rng(self.seed), TYPES[self.precision]
        x, upstream = rng.standard_normal((2, TOKENS, WIDTH)).astype(kind)
        blocks = []
        for _ in range(self.depth):
            weights = {name: rng.standard_normal(shape) for name, shape in SHAPES.items()}
            scaled = {
                name: 1 + 0.2 * weight if weight.ndim == 1 else weight / len(weight) ** 0.5
                for name, weight in weights.items()
            }
            blocks.append(Tensors(**{name: weight.astype(kind) for name, weight in scaled.items()}))
        getattr(blocks[0], self.edited).flat[0] += self.change
        return x, blocks, upstream


@dataclass(frozen=True)
class ExaminedPass:
    """The first block after a forward and a backward pass."""

    tensors: Tensors
    gradients: Tensors
    weight_gradients: Tensors
    routes: Mapping[str, np.ndarray]
    """The parts of the gradients of x and r from the skip and from the branch: "x skip", "x branch", …"""


def tensor_names(arrangement: str) -> list[str]:
    """Tensors that have a gradient, in the order in which the backward pass completes them."""
    middle = {
        "pre": ["m", "s", "g", "u", "n2", "r", "o", "a", "q", "k", "v", "n1"],
        "post": ["z2", "m", "s", "g", "u", "r", "z1", "o", "a", "q", "k", "v"],
    }
    return ["y", *middle[arrangement], "x"]


def passed(stack: Stack, bug: str = "none") -> ExaminedPass:
    """Run all blocks forward and back, each with the same bug or "none", and return the first block."""
    plan = plan_with(stack.arrangement, bug)
    x, blocks, upstream = stack.drawn()
    activations = []
    for w in blocks:
        activations.append(forward(plan, x, w))
        x = activations[-1].y
    for t, w in zip(reversed(activations[1:]), reversed(blocks[1:]), strict=True):
        upstream = backward(plan, upstream, t, w)[0].x
    first, w = activations[0], blocks[0]
    d, dw = Tensors(y=upstream), Tensors()
    routes = _backward(plan, PLANS[stack.arrangement], d, dw, first, w)
    return ExaminedPass(first, d, dw, routes)


def _backward(plan: Plan, right: Plan, d: Tensors, dw: Tensors, t: Tensors, w: Tensors) -> dict[str, np.ndarray]:
    """Run the backward pass line by line; return each route's share wherever two routes meet."""
    merged = {line: name for name, line in MERGES.items()}
    routes: dict[str, np.ndarray] = {}
    for number in range(len(plan), 0, -1):
        if number in merged:
            name = merged[number]
            copied = getattr(d, name).copy()
            alone = Tensors(**{**vars(d), name: np.zeros_like(copied)})
            right[number - 1].backward(alone, Tensors(), t, w)
            routes |= {f"{name} skip": copied, f"{name} branch": getattr(alone, name)}
        plan[number - 1].backward(d, dw, t, w)
    return routes


@lru_cache(maxsize=64)
def differences(stack: Stack) -> tuple[Mapping[str, np.ndarray], Mapping[str, np.ndarray]]:
    """Gradients of every tensor and every weight of the first block, by finite differences, in the shapes of what they
    belong to."""
    plan = PLANS[stack.arrangement]
    x, (w, *rest), upstream = stack.drawn()
    t = forward(plan, x, w)

    def loss(y: np.ndarray) -> np.ndarray:
        for weights in rest:
            y = forward(plan, y, weights).y
        total: np.ndarray = (y * upstream).sum(axis=(-1, -2))
        return total

    step = float(np.finfo(x.dtype).eps) ** (1 / 3)
    tensors = {name: of_tensor(plan, t, w, name, loss, step) for name in tensor_names(stack.arrangement)}
    return tensors, {name: of_weight(plan, x, w, name, loss, step) for name in SHAPES}


def errors(stack: Stack, result: ExaminedPass) -> dict[str, float]:
    """Relative error of every gradient of a pass against finite differences; weights have names such as "w.q"."""
    tensors, weights = differences(stack)
    return {name: relative_error(getattr(result.gradients, name), tensor) for name, tensor in tensors.items()} | {
        f"w.{name}": relative_error(getattr(result.weight_gradients, name), weight) for name, weight in weights.items()
    }


def route_errors(stack: Stack, result: ExaminedPass) -> dict[str, float]:
    """Relative error of each route's gradient: the skip must pass the gradient on in full, the branch adds the rest."""
    tensors, _weights = differences(stack)
    away = {}
    for name, source in COPIED[stack.arrangement].items():
        expected = {"skip": tensors[source], "branch": tensors[name] - tensors[source]}
        for route, gradient in expected.items():
            away[f"{name} {route}"] = relative_error(result.routes[f"{name} {route}"], gradient)
    return away


def moved(one: ExaminedPass, other: ExaminedPass, arrangement: str) -> dict[str, float]:
    """Relative difference of every gradient of one pass from that of another; keys as in `errors`."""
    names = tensor_names(arrangement)
    return {name: relative_error(getattr(one.gradients, name), getattr(other.gradients, name)) for name in names} | {
        f"w.{name}": relative_error(getattr(one.weight_gradients, name), getattr(other.weight_gradients, name))
        for name in SHAPES
    }
