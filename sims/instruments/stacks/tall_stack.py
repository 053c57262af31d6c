"""Up to a thousand random residual blocks: sizes of the stream, of its gradient and of the weights' gradients.

A branch is F(x) = W₂ relu(W₁ x), without biases, so that F(cx) = c F(x) for every c above 0.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sims.engines.kernels.norms import EPSILON

WIDTH, POINTS = 64, 4
TALLEST = 1000
ALIKE = 0.9
"""Cosine between any two of the inputs, in the mean over seeds"""

LOOK = 32
"""The stream is checked for overflow every this many blocks"""

SPREADS = {"full": ((2 / WIDTH) ** 0.5, (1 / WIDTH) ** 0.5), "default": ((3 * WIDTH) ** -0.5,) * 2}
"""Standard deviations of W₁ and W₂. "full": He's for W₁, and 1/√width for W₂, which no ReLU follows, so that F keeps
the mean square of its input. "default": a library's default, uniform within ±1/√width, whose F keeps 1/18 of it"""


@dataclass(frozen=True)
class Rules:
    """How blocks add: h ← N₃(skip · h + branch · N₂(F(N₁(before · h)))), each N a LayerNorm or nothing."""

    skip: float = 1.0
    branch: float = 1.0
    fading: float = 0.0
    """The branch of block l, counted from 1, is also multiplied by l^−fading."""
    before: float = 1.0
    first: float = 1.0
    """Factor on the initial W₁"""
    last: float = 1.0
    """The same for W₂"""
    norm_in: bool = False
    norm_out: bool = False
    norm_sum: bool = False


@dataclass(frozen=True)
class Passes:
    """A forward and a backward pass through a stack. After an overflow the rest of the stream is NaN, and so are all
    gradients."""

    stream: np.ndarray
    """(blocks + 1,) root mean square of h, over points and width"""
    gradient: np.ndarray
    """(blocks + 1,) root mean square of ∂L/∂h; the gradient at the output is random and has 1"""
    first: np.ndarray
    """(blocks,) norm of ∂L/∂W₁ at initialization"""
    last: np.ndarray
    """(blocks,) norm of ∂L/∂W₂"""
    factor: np.ndarray
    """(blocks,) |∂L/∂factor| for the factor of each branch"""
    cosine: np.ndarray
    """(blocks + 1,) mean cosine between two points of the stream"""
    overflow: int
    """The first block whose sum overflowed in single precision; 0 if none did"""


@lru_cache(maxsize=2)
def _draw(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Uniform numbers within ±1 for all matrices, (TALLEST, 2, WIDTH, WIDTH); the inputs, each with a root mean square
    of 1, and the gradient at the output, (POINTS, WIDTH) each. Single precision; shorter stacks use the first
    blocks."""
    random = np.random.default_rng(seed)
    common, own = random.normal(size=WIDTH), random.normal(size=(POINTS, WIDTH))
    inputs = ALIKE**0.5 * common + (1 - ALIKE) ** 0.5 * own
    inputs /= np.sqrt((inputs**2).mean(axis=1, keepdims=True))
    top = random.normal(size=(POINTS, WIDTH))
    matrices = random.random((TALLEST, 2, WIDTH, WIDTH), dtype=np.float32)
    matrices *= 2
    matrices -= 1
    return matrices, inputs.astype(np.float32), (top / np.sqrt((top**2).mean())).astype(np.float32)


def weights(seed: int, blocks: int, start: str, rules: Rules) -> np.ndarray:
    """Initial W₁ and W₂ of all blocks: (blocks, 2, WIDTH, WIDTH)."""
    sizes = np.array(SPREADS[start]) * 3**0.5 * (rules.first, rules.last)
    matrices: np.ndarray = _draw(seed)[0][:blocks] * sizes.astype(np.float32)[:, None, None]
    return matrices


def inputs_and_top(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The inputs of the first block, and the gradient at the output of the last: (POINTS, WIDTH) each."""
    return _draw(seed)[1:]


class _Norm:
    """LayerNorms of all blocks, without gain or shift; they keep what the backward pass needs."""

    MEAN = np.full((WIDTH, WIDTH), 1 / WIDTH, np.float32)

    def __init__(self, blocks: int) -> None:
        self.normal = np.empty((blocks, POINTS, WIDTH), np.float32)
        self._scale = np.empty((blocks, POINTS, 1), np.float32)

    def forward(self, block: int, x: np.ndarray) -> np.ndarray:
        centered = x - x @ self.MEAN
        scale = 1 / np.sqrt((centered * centered) @ self.MEAN[:, :1] + np.float32(EPSILON))
        self._scale[block] = scale
        return np.multiply(centered, scale, out=self.normal[block])

    def back(self, block: int, gradient: np.ndarray) -> np.ndarray:
        normal = self.normal[block]
        along = (gradient * normal) @ self.MEAN[:, :1]
        back: np.ndarray = (gradient - gradient @ self.MEAN - normal * along) * self._scale[block]
        return back


@lru_cache(maxsize=32)
def passes(rules: Rules, start: str, blocks: int, seed: int) -> Passes:
    """Run forward and back through `blocks` blocks in single precision; about 30 μs for each block."""
    (matrices, inputs, top), shape = _draw(seed), (blocks, POINTS, WIDTH)
    one, two = (np.float32(spread * 3**0.5) for spread in SPREADS[start])
    one, two = one * np.float32(rules.first), two * np.float32(rules.last)
    factors = (rules.branch * np.arange(1, blocks + 1.0) ** -rules.fading).astype(np.float32)
    through = _NormsOf(rules, blocks)
    streams = np.empty((blocks + 1, POINTS, WIDTH), np.float32)
    entering, hidden, leaving, added = (np.empty(shape, np.float32) for _ in range(4))
    streams[0] = h = inputs
    skip, before = np.float32(rules.skip), np.float32(rules.before)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for block in range(blocks):
            x = h if before == 1 else before * h
            entering[block] = x = through.forward(0, block, x)
            value = np.matmul(x, matrices[block, 0].T, out=hidden[block])
            value *= one
            np.maximum(value, 0, out=value)
            branch = np.matmul(value, matrices[block, 1].T, out=leaving[block])
            branch *= two
            branch = added[block] = through.forward(1, block, branch)
            total = branch * factors[block]
            total += h if skip == 1 else skip * h
            streams[block + 1] = h = through.forward(2, block, total)
            if block % LOOK == LOOK - 1 and not np.isfinite(h).all():
                streams[block + 2 :] = np.nan
                break
        lost = ~np.isfinite(streams).all(axis=(1, 2))
        overflow = int(np.argmax(lost)) if lost.any() else 0
        gradients, at_branch, at_last, at_hidden = np.empty_like(streams), *(np.empty(shape, np.float32) for _ in "123")
        gradients[-1] = gradient = top
        for block in range(blocks - 1 if not overflow else -1, -1, -1):
            gradient = through.back(2, block, gradient)
            at_branch[block] = gradient
            back = at_last[block] = through.back(1, block, gradient * factors[block])
            inside = np.matmul(back, matrices[block, 1], out=at_hidden[block])
            inside *= two
            inside *= hidden[block] > 0
            below = through.back(0, block, (inside @ matrices[block, 0]) * one)
            below *= before
            below += gradient if skip == 1 else skip * gradient
            gradients[block] = gradient = below
    nothing = np.full(blocks, np.nan)
    stream, cosine = _rms(streams), _cosines(streams)
    if overflow:
        stream[overflow:] = cosine[overflow:] = np.nan
        return Passes(stream, np.full(blocks + 1, np.nan), nothing, nothing, nothing, cosine, overflow)
    return Passes(
        stream,
        _rms(gradients),
        _products(at_hidden, entering),
        _products(at_last, hidden),
        np.abs((at_branch.astype(float) * added).sum(axis=(1, 2))),
        cosine,
        0,
    )


class _NormsOf:
    """The three places where a block may have a norm; a place without one passes its input on."""

    def __init__(self, rules: Rules, blocks: int) -> None:
        flags = (rules.norm_in, rules.norm_out, rules.norm_sum)
        self._norms = [_Norm(blocks) if flag else None for flag in flags]

    def forward(self, place: int, block: int, x: np.ndarray) -> np.ndarray:
        norm = self._norms[place]
        return norm.forward(block, x) if norm else x

    def back(self, place: int, block: int, gradient: np.ndarray) -> np.ndarray:
        norm = self._norms[place]
        return norm.back(block, gradient) if norm else gradient


def _rms(values: np.ndarray) -> np.ndarray:
    """Root mean square over the last two axes, in double precision."""
    with np.errstate(over="ignore", invalid="ignore"):
        rms: np.ndarray = np.sqrt(np.square(values.astype(float)).mean(axis=(1, 2)))
    return rms


def _cosines(streams: np.ndarray) -> np.ndarray:
    """Mean cosine over all pairs of points; NaN if a point is zero."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        unit = streams / np.sqrt(np.square(streams.astype(float)).sum(axis=2, keepdims=True))
        gram = unit @ unit.transpose(0, 2, 1)
    pairs = np.triu_indices(POINTS, 1)
    means: np.ndarray = gram[:, pairs[0], pairs[1]].mean(axis=1)
    return means


def _products(gradients: np.ndarray, values: np.ndarray) -> np.ndarray:
    """‖Σ g xᵀ‖, summed over the points, for every block, computed from inner products between points: (blocks,)."""
    g, x = gradients.astype(float), values.astype(float)
    square = ((g @ g.transpose(0, 2, 1)) * (x @ x.transpose(0, 2, 1))).sum(axis=(1, 2))
    norms: np.ndarray = np.sqrt(np.maximum(square, 0))
    return norms
