"""Singular values of Jacobians, of each block and of all blocks together, and their effective rank."""

from dataclasses import dataclass

import numpy as np

from sims.instruments.gradients.opened_blocks import OpenedBlocks

RESOLVED = 1e-12
"""Singular values below this share of the largest of their matrix are rounding errors, and count as 0"""

NEAR = 2.0
"""Values between 1/NEAR and NEAR count as near 1."""


@dataclass(frozen=True)
class Spectra:
    """Singular values, largest first, without a unit."""

    blocks: np.ndarray
    """(L, n, w) singular values of the Jacobian of every block at every point"""
    whole: np.ndarray
    """(n, w) singular values of the product of all Jacobians, the last block on the left"""


def spectra(blocks: OpenedBlocks) -> Spectra:
    """Return the spectra of the blocks, skips included; NaN for a network that has overflowed."""
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

    It lies between 1 (a single direction) and w (all equal); it is 0 if all values are 0.
    """
    total = values.sum(axis=-1, keepdims=True)
    shares = np.divide(values, total, out=np.zeros_like(values), where=total != 0)
    logarithms = np.log(shares, out=np.zeros_like(shares), where=shares != 0)
    rank: np.ndarray = np.exp(-(shares * logarithms).sum(axis=-1))
    return np.where(total[..., 0] == 0, 0.0, rank)


def near_one(values: np.ndarray) -> float:
    """The share of all values, of any shape, that lie between 1/2 and 2."""
    return float(((values >= 1 / NEAR) & (values <= NEAR)).mean())
