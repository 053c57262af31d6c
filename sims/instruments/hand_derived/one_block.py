"""One block computed by hand: every number of the forward pass and every derivative of the backward pass."""

from dataclasses import dataclass

import numpy as np

ENDINGS = ("linear", "relu")
"""The last operation of a branch."""


@dataclass(frozen=True)
class Block:
    """y = x + c·φ(W x), or y = c·φ(W x) without the skip; φ is ReLU or nothing, and the width is W's."""

    weights: np.ndarray
    skip: bool = True
    ending: str = "linear"
    strength: float = 1.0


@dataclass(frozen=True)
class Pass:
    """All intermediate values and gradients of a forward and a backward pass. Vectors are (width,), matrices (width,
    width)."""

    products: np.ndarray
    """products[i, j] = W[i, j] x[j]"""
    sums: np.ndarray
    """z = W x"""
    ended: np.ndarray
    """φ(z)"""
    branch: np.ndarray
    """F(x) = c·φ(z)"""
    output: np.ndarray
    jacobian: np.ndarray
    """∂y/∂x: W with the rows of inactive units set to 0, times c, plus the identity if there is a skip"""
    ended_gradient: np.ndarray
    """∂L/∂φ(z)"""
    sums_gradient: np.ndarray
    """∂L/∂z"""
    weights_gradient: np.ndarray
    """∂L/∂W"""
    input_gradient: np.ndarray
    """∂L/∂x"""


def run(block: Block, x: np.ndarray, output_gradient: np.ndarray) -> Pass:
    """Compute forward from x (width,), and back from ∂L/∂y (width,). The derivative of ReLU at 0 is 0, as in torch."""
    products = block.weights * x
    sums = products.sum(axis=1)
    slope = (sums > 0).astype(float) if block.ending == "relu" else np.ones_like(sums)
    ended = sums * slope
    branch = block.strength * ended
    identity = np.eye(len(x)) if block.skip else np.zeros((len(x), len(x)))
    ended_gradient = block.strength * output_gradient
    sums_gradient = ended_gradient * slope
    return Pass(
        products=products,
        sums=sums,
        ended=ended,
        branch=branch,
        output=branch + identity @ x,
        jacobian=block.strength * slope[:, None] * block.weights + identity,
        ended_gradient=ended_gradient,
        sums_gradient=sums_gradient,
        weights_gradient=np.outer(sums_gradient, x),
        input_gradient=block.weights.T @ sums_gradient + identity @ output_gradient,
    )


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """The cosine of the angle between two vectors (n,); 0 if one of them is 0."""
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0


def ratio(part: float, whole: float) -> float:
    """part / whole; 0 if the whole is 0."""
    return part / whole if whole else 0.0
