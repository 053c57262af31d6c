"""The gradient through a chain of scalar blocks x ← x + F(x): 2^L paths, or L + 1 groups of equal length.

With gains g_l = F_l′ the derivative of the chain is ∏(1 + g_l). Multiplied out, it has one term for every choice of
branches: the path through branches k and m contributes g_m·g_k (He et al. 1603.05027, section 2; Veit et al.
1605.06431, section 3).
"""

import math
from collections.abc import Sequence

import numpy as np


def path_weights(gains: Sequence[float] | np.ndarray) -> list[np.ndarray]:
    """The weights of all partial paths: element l has shape (2^l,), one number for each way through l blocks.

    Way n continues as 2n, past the next branch, and as 2n + 1, through it. The last element holds all whole paths.
    """
    weights = [np.ones(1)]
    for gain in gains:
        weights.append(np.outer(weights[-1], (1.0, gain)).reshape(-1))
    return weights


def path_lengths(blocks: int) -> np.ndarray:
    """(2^blocks,) the number of branches on each path, in the order of `path_weights`."""
    return np.array([number.bit_count() for number in range(2**blocks)])


def by_length(gains: Sequence[float] | np.ndarray) -> np.ndarray:
    """(L + 1,) for each k, the sum over all paths through k branches: elementary symmetric polynomials of the gains.

    One multiplication and addition per block and length, where a list of the paths would need 2^L.
    """
    sums = np.zeros(len(gains) + 1)
    sums[0] = 1
    for done, gain in enumerate(gains):
        sums[1 : done + 2] += gain * sums[: done + 1]
    return sums


def counts(blocks: int) -> np.ndarray:
    """(L + 1,) the number of paths of each length: binomial coefficients."""
    return np.array([float(math.comb(blocks, length)) for length in range(blocks + 1)])


def weighted(blocks: int, gain: float) -> np.ndarray:
    """(L + 1,) the share of the total that each length carries for equal gains: Binomial(L, g/(1 + g)) where g ≥ 0.

    With a negative gain the same formula gives shares of both signs. They add up to 1 except for rounding errors, which
    are huge where a deep chain cancels. For g = −1 the total is 0 and shares have no meaning: ValueError.
    """
    if gain == -1:
        raise ValueError("for a gain of −1 the total is exactly 0, and nothing has a share in it")
    # In logarithms: C(110, 55) overflows, and a power of the gain may underflow, before their product is formed.
    lengths = np.arange(blocks + 1)
    ways = np.array([math.lgamma(blocks + 1) - math.lgamma(k + 1) - math.lgamma(blocks - k + 1) for k in lengths])
    if gain == 0:
        return (lengths == 0).astype(float)
    sign = np.where(lengths % 2 == 1, math.copysign(1, gain), 1.0) * math.copysign(1, 1 + gain) ** blocks
    return sign * np.exp(ways + lengths * math.log(abs(gain)) - blocks * math.log(abs(1 + gain)))
