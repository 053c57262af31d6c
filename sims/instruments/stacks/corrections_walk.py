"""How much the corrections of different blocks agree, and the walk given by their lengths and partial sums."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Agreement:
    """How strongly the corrections of a stream point the same way, as means over points."""

    cosines: np.ndarray
    """(blocks, blocks) products of corrections over products of their lengths, each summed over points"""
    lengths: np.ndarray
    """(blocks,) root mean square length of each correction"""
    distances: np.ndarray
    """(blocks + 1,) root mean square distance of the stream from its start"""

    @property
    def correlation(self) -> float:
        """ρ: the summed inner products of all pairs of different blocks over the summed products of their lengths."""
        weights = np.outer(self.lengths, self.lengths)
        np.fill_diagonal(weights, 0.0)
        return float((self.cosines * weights).sum() / weights.sum())


def agreement(streams: np.ndarray) -> Agreement:
    """Measure a stream (blocks + 1, points, width); lengths are root mean squares over the points."""
    corrections = np.diff(streams, axis=0)
    blocks, points, _ = corrections.shape
    flat = corrections.reshape(blocks, -1)
    products = flat @ flat.T / points
    lengths = np.sqrt(np.diag(products))
    distances = np.sqrt(np.square(streams - streams[0]).sum(axis=2).mean(axis=1))
    return Agreement(products / np.outer(lengths, lengths), lengths, distances)


def distances(blocks: int, correlation: float) -> np.ndarray:
    """(blocks + 1,) distance from the start after 0, 1, … steps of length 1, any two of which have that correlation."""
    n = np.arange(blocks + 1.0)
    lengths: np.ndarray = np.sqrt(n + n * (n - 1) * correlation)
    return lengths


def correlation_through(blocks: float, distance: float) -> float:
    """The correlation, clipped to 0 to 1, with which `blocks` steps of length 1 lead to that distance."""
    if blocks < 2:
        return 0.0
    return float(min(max((distance**2 - blocks) / (blocks * (blocks - 1)), 0.0), 1.0))


def planar(lengths: np.ndarray, distances_: np.ndarray) -> np.ndarray:
    """A walk in the plane with these step lengths and these distances from the start, turning left: (steps + 1, 2).

    Each step forms a triangle with the distances before and after it. For independent steps of one length these
    triangles are right-angled, and the walk is the spiral of Theodorus. The first step goes to the right.
    """
    angle, places = 0.0, [(0.0, 0.0), (float(distances_[1]), 0.0)]
    for step, before, behind in zip(lengths[1:], distances_[1:-1], distances_[2:], strict=True):
        if before > 0 and behind > 0:
            cosine = (before**2 + behind**2 - step**2) / (2 * before * behind)
            angle += float(np.arccos(np.clip(cosine, -1, 1)))
        places.append((float(behind * np.cos(angle)), float(behind * np.sin(angle))))
    return np.array(places)
