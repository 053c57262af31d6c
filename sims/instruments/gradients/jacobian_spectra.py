"""Singular values of Jacobians, block by block and of all blocks together, and in how many directions they reach."""

from dataclasses import dataclass

import numpy as np

from sims.instruments.gradients.opened_blocks import OpenedBlocks

RESOLVED = 1e-12
"""Singular values below this part of the largest of their matrix are rounding, and count as 0"""

NEAR = 2.0
"""Values from 1 over it to it are near 1."""


@dataclass(frozen=True)
class Spectra:
    """Singular values from the largest down, without a unit."""

    blocks: np.ndarray
    """(L, n, w) of the Jacobian of every block at every point"""
    whole: np.ndarray
    """(n, w) of their product, the last block on the left"""


def spectra(blocks: OpenedBlocks) -> Spectra:
    """The spectra of the blocks, skips included; not-a-number for a network that has left the finite numbers."""
    points, width = blocks.gradient.shape
    jacobians = np.stack([blocks.jacobian(block) for block in range(blocks.count)])
    product = np.broadcast_to(np.eye(width), (points, width, width))
    for jacobian in jacobians:
        product = jacobian @ product
    return Spectra(_singular_values(jacobians), _singular_values(product))


def _singular_values(matrices: np.ndarray) -> np.ndarray:
    if not np.isfinite(matrices).all():
        return np.full(matrices.shape[:-1], np.nan)
    values: np.ndarray = np.linalg.svd(matrices, compute_uv=False)
    return np.where(values < RESOLVED * values[..., :1], 0.0, values)


def effective_rank(values: np.ndarray) -> np.ndarray:
    """exp of the entropy of the shares σ/Σσ, shape (...,) for singular values (..., w): Roy & Vetterli 2007.

    From 1, one direction alone, to w, all alike; 0 where all values are 0.
    """
    total = values.sum(axis=-1, keepdims=True)
    shares = np.divide(values, total, out=np.zeros_like(values), where=total != 0)
    logarithms = np.log(shares, out=np.zeros_like(shares), where=shares != 0)
    rank: np.ndarray = np.exp(-(shares * logarithms).sum(axis=-1))
    return np.where(total[..., 0] == 0, 0.0, rank)


def near_one(values: np.ndarray) -> float:
    """The share of all values that lie between 1/2 and 2."""
    return float(((values >= 1 / NEAR) & (values <= NEAR)).mean())
