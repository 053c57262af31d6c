"""Numbers about the gradient through a chain of scalar blocks: with skips, without skips, and path by path."""

import math

import numpy as np

from sims.contract.calculation import Number, calculation
from sims.contract.wording import vector
from sims.instruments.gradients.path_sums import by_length, path_weights, weighted
from sims.numbers.arithmetic.exact import product


@calculation
def with_skips(gain: float, blocks: int) -> Number:
    """(1 + gain)^blocks: the whole gradient of a chain of residual blocks with equal gains."""
    return product(factor=1 + gain, count=blocks)


@calculation
def without_skips(gain: float, blocks: int) -> Number:
    """gain^blocks: the gradient of the same branches without skips."""
    return product(factor=gain, count=blocks)


@calculation
def divided(gain: float, blocks: int) -> Number:
    """(1 + gain/blocks)^blocks: with skips, if every branch is divided by the number of blocks; below e^gain."""
    return product(factor=1 + gain / blocks, count=blocks)


@calculation
def ratio(gain: float, blocks: int) -> Number:
    """The gradient with skips over the one without; infinite if the one without is 0."""
    plain = float(gain**blocks)
    return float((1 + gain) ** blocks) / plain if plain else math.inf


@calculation
def paths(blocks: int) -> Number:
    """The number of paths: 2^blocks."""
    return 2**blocks


@calculation
def ways(blocks: int, length: int) -> Number:
    """The number of paths through exactly `length` branches."""
    return math.comb(blocks, length)


@calculation
def group(gain: float, blocks: int, length: int) -> Number:
    """The sum over all paths through `length` branches: C(blocks, length) gain^length."""
    return math.comb(blocks, length) * float(gain**length)


@calculation
def group_share(gain: float, blocks: int, length: int) -> Number:
    """The part of the total that comes from paths through `length` branches; infinite if the total is 0."""
    total = float((1 + gain) ** blocks)
    return math.comb(blocks, length) * float(gain**length) / total if total else math.inf


@calculation
def three(first: float, second: float, third: float, length: int = -1) -> Number:
    """Three blocks with different gains: the sum over paths of one length, or the whole product for −1."""
    sums = by_length((first, second, third))
    return float((1 + first) * (1 + second) * (1 + third) if length < 0 else sums[length])


@calculation
def direct_percent(gain: float, blocks: int) -> Number:
    """The direct path's part of the total in percent."""
    return 100 / float((1 + gain) ** blocks)


@calculation
def size(gain: float, blocks: int) -> Number:
    """|1 + gain|^blocks."""
    return float(abs(1 + gain) ** blocks)


@calculation
def mean_length(gain: float, blocks: int) -> Number:
    """The mean length of a path, weighted by its contribution: blocks · gain / (1 + gain)."""
    return blocks * gain / (1 + gain)


@calculation
def likeliest_length(gain: float, blocks: int) -> Number:
    """The length whose paths contribute most, for a gain of 0 or more."""
    return int(np.argmax(weighted(blocks, gain)))


@calculation
def half_share_gain(blocks: int) -> Number:
    """The gain at which the direct path is exactly half of the total: 2^(1/blocks) − 1."""
    return float(2 ** (1 / blocks) - 1)


@calculation
def enumeration_error(blocks: int) -> Number:
    """The largest |sum over all listed paths − product| over 100 chains of random gains between −1 and 1."""
    random = np.random.default_rng(0)
    chains = [random.uniform(-1, 1, blocks) for _ in range(100)]
    return max(float(abs(path_weights(gains)[-1].sum() - np.prod(1 + gains))) for gains in chains)


@calculation
def in_order(upper: float, lower: float, first: str) -> Number:
    """The Jacobian of two blocks as text, rows by semicolon; the branch of block `first` ("A" or "B") comes first.

    A has `upper` in its upper right corner and B has `lower` in its lower left; all else is 0.
    """
    a, b, one = np.array([[0, upper], [0, 0]]), np.array([[0, 0], [lower, 0]]), np.eye(2)
    return vector((one + b) @ (one + a) if first == "A" else (one + a) @ (one + b), ".10g")


@calculation
def order_error(right: bool) -> Number:
    """The relative error of the path expansion of three blocks' Jacobian, with the later block on the left or not.

    This is the norm of the difference over that of the Jacobian, for random 4 × 4 branches in single precision.
    """
    jacobians = np.random.default_rng(0).normal(size=(3, 4, 4)).astype(np.float32) / 2
    one = np.eye(4, dtype=np.float32)
    expanded = one + jacobians.sum(axis=0)
    for early in range(3):
        for late in range(early + 1, 3):
            pair = (jacobians[late], jacobians[early]) if right else (jacobians[early], jacobians[late])
            expanded = expanded + pair[0] @ pair[1]
    all_three = jacobians[::-1] if right else jacobians
    expanded = expanded + all_three[0] @ all_three[1] @ all_three[2]
    whole = (one + jacobians[2]) @ (one + jacobians[1]) @ (one + jacobians[0])
    return float(np.linalg.norm(expanded - whole) / np.linalg.norm(whole))


@calculation
def random_mean_length(blocks: int, divided: bool = True) -> Number:
    """The mean path length, by size, if branches keep lengths and turn vectors into random directions.

    The C(L, k) paths of length k then add up like random steps, to a size of √(C(L, k) vᵏ), where v is the factor of a
    branch on the mean square: 1, or 1/L if every branch is divided by √L.
    """
    variance = 1 / blocks if divided else 1.0
    sizes = [math.sqrt(math.comb(blocks, length) * variance**length) for length in range(blocks + 1)]
    return sum(length * size for length, size in enumerate(sizes)) / sum(sizes)
