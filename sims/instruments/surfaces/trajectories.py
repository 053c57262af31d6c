"""The trajectory of an optimizer, and the plane that shows most of it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shadow:
    """A trajectory projected on a plane through its end."""

    directions: np.ndarray
    """(2, P) orthonormal"""
    coordinates: np.ndarray
    """(snapshots, 2) of a and b; the last is (0, 0)"""
    explained: float
    """The share of the squared distances from the end that the plane shows, 0 to 1"""


def principal(snapshots: np.ndarray) -> Shadow:
    """The plane through the last of the snapshots (n, P) that shows most of the others.

    It is spanned by the first two principal components of the snapshots minus the last one (Li et al., 1712.09913,
    section 7), computed from the n × n matrix of their inner products. The signs are chosen so that the start lies at
    a, b ≥ 0. Unlike in the program of Li et al., no mean is subtracted, so the shares are larger than theirs.
    """
    away = snapshots.astype(np.float64) - snapshots[-1]
    squares, vectors = np.linalg.eigh(away @ away.T)
    basis = vectors[:, :-3:-1].T @ away
    basis /= np.maximum(np.linalg.norm(basis, axis=1, keepdims=True), np.finfo(float).tiny)
    basis *= np.where(basis @ away[0] < 0, -1.0, 1.0)[:, None]
    return Shadow(basis, away @ basis.T, float(squares[-2:].sum() / max(squares.sum(), np.finfo(float).tiny)))


def random_plane(size: int, seed: int) -> np.ndarray:
    """Two orthonormal directions (2, size), uniformly distributed among all such pairs."""
    basis: np.ndarray = np.linalg.qr(np.random.default_rng((seed, 5)).normal(size=(size, 2)))[0].T
    return basis


def seen_by(plane: np.ndarray, snapshots: np.ndarray) -> float:
    """The share of the displacement from the first to the last of the snapshots (n, P) that a plane (2, P) shows: its
    projected length over its length.

    About √(2/P) for a random plane.
    """
    way = snapshots[-1].astype(np.float64) - snapshots[0]
    return float(np.linalg.norm(plane @ way) / np.linalg.norm(way))
