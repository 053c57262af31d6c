"""The arithmetic of chapter 4's worked examples: small, exact, and really computed."""

import inspect

import numpy as np

from sims.contract.calculation import Number, calculation
from sims.contract.wording import vector
from sims.numbers.arithmetic import exact


def _normalized(z: np.ndarray) -> tuple[np.ndarray, float]:
    """LayerNorm without ε, and σ; if all numbers are equal, zeros and σ = 0."""
    centered = z - z.mean()
    deviation = float(np.sqrt(np.square(centered).mean()))
    return (centered / deviation if deviation else centered), deviation


def jacobian(z: np.ndarray) -> np.ndarray:
    """The Jacobian of LayerNorm at z, (d, d): (I − 11ᵀ/d − ẑẑᵀ/d)/σ; zeros, not infinity, if σ is 0."""
    normal, deviation = _normalized(z)
    size = len(z)
    flat = np.eye(size) - np.ones((size, size)) / size - np.outer(normal, normal) / size
    return flat / deviation if deviation else np.zeros_like(flat)


@calculation
def mean(first: float, second: float, third: float) -> Number:
    """The mean of three numbers."""
    return float(np.mean([first, second, third]))


@calculation
def deviation(first: float, second: float, third: float) -> Number:
    """σ of three numbers, as LayerNorm takes it: the root of the mean squared distance from the mean."""
    return _normalized(np.array([first, second, third]))[1]


@calculation
def normalized(first: float, second: float, third: float) -> Number:
    """The three numbers after a LayerNorm, as text."""
    return vector(_normalized(np.array([first, second, third]))[0], ".4f")


@calculation
def gradient_of_sum(first: float, second: float, third: float) -> Number:
    """1ᵀJ as text: the gradient of the sum of LayerNorm's outputs."""
    return vector(np.round(np.ones(3) @ jacobian(np.array([first, second, third])), 12), ".4f")


@calculation
def gradient_of_first(first: float, second: float, third: float) -> Number:
    """The gradient of LayerNorm's first output, as text."""
    return vector(np.round(jacobian(np.array([first, second, third]))[0], 12), ".4f")


@calculation
def largest_singular_value(first: float, second: float, third: float) -> Number:
    """The largest singular value of LayerNorm's Jacobian at three numbers; the two others are 0."""
    return float(np.linalg.svd(jacobian(np.array([first, second, third])), compute_uv=False)[0])


@calculation
def product(slope: float, blocks: int) -> Number:
    """(1 + δ)^blocks: a scalar Pre-LN stack whose branches have slope δ."""
    return exact.product(factor=1 + slope, count=blocks)


@calculation(long=True)
def torch_default() -> Number:
    """The default of `norm_first` in `torch.nn.TransformerEncoderLayer` (claim C-08), as text."""
    from torch import nn  # the import takes a second, and building a page needs only the kept value

    return str(inspect.signature(nn.TransformerEncoderLayer.__init__).parameters["norm_first"].default)


@calculation
def branch_share(placement: str, sums: int, variance: float = 1.0) -> Number:
    """The share of the last of `sums` branches in the variance of its sum, if all are uncorrelated and equally strong.

    Every branch has the variance v; the stream starts with variance 1. "post": a norm has brought the stream back to 1,
    so the share is v / (1 + v). "pre": the stream has grown to 1 + (L − 1) v, so the share is v / (1 + L v).
    """
    stream = {"post": 1.0, "pre": 1.0 + (sums - 1) * variance}[placement]
    return variance / (stream + variance)
