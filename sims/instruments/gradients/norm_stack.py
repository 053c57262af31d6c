"""A popular toy example: blocks of one Linear and one ReLU, with a LayerNorm at the start of the branch or after the
sum."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sims.data.torch_numbers import TorchNumbers
from sims.instruments.hand_derived.cross_entropy import cross_entropy
from sims.instruments.hand_derived.layer_norm import norm_back, normalized

WIDTH, POINTS, CLASSES = 64, 4, 10
LOSSES = ("sum", "projection", "cross-entropy", "squared error")
PLACEMENTS = ("pre", "post")


@dataclass(frozen=True)
class Draw:
    """The random values of a seed, in single precision: weights, input, and what the losses need."""

    weights: np.ndarray
    """(depth, WIDTH, WIDTH)"""
    biases: np.ndarray
    """(depth, WIDTH)"""
    inputs: np.ndarray
    """(POINTS, WIDTH)"""
    direction: np.ndarray
    """(POINTS, WIDTH) weights of the "projection" loss"""
    target: np.ndarray
    """(POINTS, WIDTH) targets of the squared error"""
    head: np.ndarray
    """(CLASSES, WIDTH)"""
    head_bias: np.ndarray
    labels: np.ndarray
    """(POINTS,) labels of the cross-entropy"""


@lru_cache(maxsize=64)
def draw(seed: int, depth: int) -> Draw:
    """Draw what `torch.manual_seed(seed)` gives to `depth` linear layers, then the input, then the losses."""
    numbers = TorchNumbers(seed)
    layers = [numbers.linear(WIDTH, WIDTH) for _ in range(depth)]
    inputs, direction, target = (numbers.normal(POINTS, WIDTH) for _ in range(3))
    head, head_bias = numbers.linear(WIDTH, CLASSES)
    labels = (numbers.uniform(POINTS) * CLASSES).astype(int)
    weights, biases = (np.stack(arrays) for arrays in zip(*layers, strict=True))
    return Draw(weights, biases, inputs, direction, target, head, head_bias, labels)


class Stack:
    """The toy after its forward pass; computes gradients on request."""

    def __init__(self, drawn: Draw, placement: str, final_norm: bool, precision: type[np.floating]) -> None:
        """`placement`: "pre" is h ← h + ReLU(W LN(h) + b), "post" is h ← LN(h + ReLU(W h + b)). `final_norm` adds one
        more LayerNorm after the last block."""
        self._drawn, self._post, self._dtype = drawn, placement == "post", precision
        self._weights, biases = drawn.weights.astype(precision), drawn.biases.astype(precision)
        h = drawn.inputs.astype(precision)
        self.streams, self._kept = [h], []
        for weight, bias in zip(self._weights, biases, strict=True):
            if self._post:
                branch = np.maximum(h @ weight.T + bias, 0)
                h, scale = normalized(h + branch)
                self._kept.append((branch, h, scale))
            else:
                normal, scale = normalized(h)
                branch = np.maximum(normal @ weight.T + bias, 0)
                h = h + branch
                self._kept.append((branch, normal, scale))
            self.streams.append(h)
        self._final = normalized(h) if final_norm else None

    def gradients(self, loss: str) -> list[np.ndarray]:
        """∂L/∂h, each (POINTS, WIDTH), for the input and the stream after every block."""
        return self.routes(loss)[0]

    def routes(self, loss: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The same gradients, and for every block the gradient on its skip: after passing Post-LN's norm, or unchanged
        in Pre-LN."""
        gradient = self._of_outputs(loss)
        if self._final:
            gradient = norm_back(gradient, *self._final)
        gradients, skips = [gradient], []
        for weight, (branch, normal, scale) in zip(self._weights[::-1], self._kept[::-1], strict=True):
            if self._post:
                gradient = norm_back(gradient, normal, scale)
            skips.append(gradient)
            inside = np.where(branch > 0, gradient, self._dtype(0)) @ weight
            gradient = gradient + (inside if self._post else norm_back(inside, normal, scale))
            gradients.append(gradient)
        return gradients[::-1], skips[::-1]

    def _of_outputs(self, loss: str) -> np.ndarray:
        h, numbers = self._final[0] if self._final else self.streams[-1], self._drawn
        if loss == "sum":
            return np.ones_like(h)
        if loss == "projection":
            return numbers.direction.astype(self._dtype)
        if loss == "squared error":
            return (h - numbers.target.astype(self._dtype)) * self._dtype(2 / h.size)
        head = numbers.head.astype(self._dtype)
        scores = h @ head.T + numbers.head_bias.astype(self._dtype)
        back: np.ndarray = (cross_entropy(scores, numbers.labels)[1] / self._dtype(POINTS)) @ head
        return back


def stack(seed: int, depth: int, placement: str, final_norm: bool, precision: str) -> Stack:
    """The toy of a seed; `precision` is "float32" or "float64". Only Pre-LN gets the final norm: Post-LN ends in one
    anyway."""
    dtype: type[np.floating] = np.float64 if precision == "float64" else np.float32
    return Stack(draw(seed, depth), placement, final_norm and placement == "pre", dtype)
