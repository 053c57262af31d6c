"""The gradient of a real network, split exactly by the length of the paths that carry it.

The gradient that reaches the first block is g·(I + J_L)…(I + J_1): a polynomial in which J_l stands for "through branch
l". Collecting the terms with k branches takes one pass back over the blocks with L + 1 gradients at once: L²/2 products
of a vector and a Jacobian, where listing the paths would take 2^L. Nothing is sampled and nothing is neglected.
Veit et al. (1605.06431, section 4) estimate the same split by drawing paths at random.
"""

import numpy as np

from sims.instruments.gradients.opened_blocks import OpenedBlocks


def by_length(blocks: OpenedBlocks) -> np.ndarray:
    """(L + 1, n, w): the gradient over all paths of k branches.

    The sum of all parts is the gradient before the first block.
    """
    parts = np.zeros((blocks.count + 1, *blocks.gradient.shape))
    parts[0] = blocks.gradient
    for done, block in enumerate(reversed(range(blocks.count))):
        through = blocks.branch_back(block, parts[: done + 1])
        parts[1 : done + 2] += through
    return parts


def energy_by_length(blocks: OpenedBlocks) -> np.ndarray:
    """(L + 1, n): for each k, the sum of the squared norms of the gradients along the paths through k branches.

    Unlike in `by_length`, paths do not cancel each other here. A sample of single paths estimates this sum (divided by
    their number); it is exact here, by the same recursion for the second moments Σ u uᵀ.
    """
    points, width = blocks.gradient.shape
    moments = np.zeros((blocks.count + 1, width, points, width))
    moments[0] = blocks.gradient.T[:, :, None] * blocks.gradient
    for done, block in enumerate(reversed(range(blocks.count))):
        half = blocks.branch_back(block, moments[: done + 1])
        moments[1 : done + 2] += blocks.branch_back(block, half.swapaxes(1, 3)).swapaxes(1, 3)
    return np.einsum("kini->kn", moments)


def shares(parts: np.ndarray) -> np.ndarray:
    """(L + 1,): how much of the gradient each length carries, in the gradient's own direction; they add up to 1.

    Share k is Σ⟨v_k, v⟩ / Σ‖v‖² over the points, where v is the sum of the parts v_k. A share is negative where that
    length pulls against the rest.
    """
    whole = parts.sum(axis=0)
    along: np.ndarray = (parts * whole).sum(axis=(1, 2)) / (whole**2).sum()
    return along


def sizes(parts: np.ndarray) -> np.ndarray:
    """(L + 1,): the norm of each length's part, averaged over the points, relative to the norm of the whole
    gradient."""
    whole = np.linalg.norm(parts.sum(axis=0), axis=1)
    size: np.ndarray = np.linalg.norm(parts, axis=2).mean(axis=1) / whole.mean()
    return size


def mean_length(weights: np.ndarray) -> float:
    """The mean of the lengths 0, 1, 2, …, in branches, under these weights (lengths,)."""
    return float(np.arange(len(weights)) @ weights / weights.sum())


def length_within(weights: np.ndarray, share: float) -> int:
    """The smallest length k such that the lengths 0 to k hold `share` of all the weight (lengths,)."""
    return int(np.searchsorted(np.cumsum(weights), share * weights.sum()))
