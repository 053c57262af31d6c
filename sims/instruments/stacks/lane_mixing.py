"""Several lanes in place of one stream, and the small matrices that mix them between blocks.

Lanes X, an array (lanes, width), go through H X at every block (Zhu et al. 2409.19606, without what blocks read and
write). Behind many blocks the lanes are C X with the composite C = H_l … H_1, and a gradient comes back through Cᵀ.
"""

from collections.abc import Callable, Mapping

import numpy as np

FREE_SIZE = 0.3
"""What random numbers of spread 1 are multiplied by where mixes are drawn around the identity"""

ROUNDS, STEPS, ENOUGH = 20, 40, 1e-10
"""Rounds of Sinkhorn–Knopp; the most steps of Newton's method behind them; and how far from 1 a sum may be then"""


def doubly_stochastic(logits: np.ndarray) -> np.ndarray:
    """The exponentials of `logits` (…, n, n) with rows and columns divided by their sums by turns, until both sum to 1
    (Sinkhorn and Knopp 1967).

    Close to the identity that takes thousands of rounds: behind the first twenty, Newton's method goes to the same
    limit, which is the only one of the form of scaled rows and columns.
    """
    mixes = np.exp(logits - logits.max(axis=(-2, -1), keepdims=True))
    for _ in range(ROUNDS):
        mixes /= mixes.sum(axis=-2, keepdims=True)
        mixes /= mixes.sum(axis=-1, keepdims=True)
    for _ in range(STEPS):
        rows, columns = mixes.sum(axis=-1), mixes.sum(axis=-2)
        if max(np.abs(rows - 1).max(), np.abs(columns - 1).max()) < ENOUGH:
            break
        mixes = _newton(mixes, rows, columns)
    return mixes


def _newton(mixes: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Rows and columns multiplied by what brings all sums to 1 in first order, no factor by more than e."""
    lanes = mixes.shape[-1]
    slopes = np.zeros((*mixes.shape[:-2], 2 * lanes, 2 * lanes))
    place = np.arange(lanes)
    slopes[..., place, place], slopes[..., lanes + place, lanes + place] = rows, columns
    slopes[..., :lanes, lanes:], slopes[..., lanes:, :lanes] = mixes, mixes.swapaxes(-2, -1)
    # Rows times a number and columns over it change nothing: the last column's factor stays as it is.
    missing = 1 - np.concatenate([rows, columns], axis=-1)[..., :-1, None]
    step = np.linalg.solve(slopes[..., :-1, :-1], missing)
    step /= np.maximum(np.abs(step).max(axis=-2, keepdims=True), 1)
    of_rows = step[..., :lanes, :]
    of_columns = np.concatenate([step[..., lanes:, 0], np.zeros((*step.shape[:-2], 1))], axis=-1)[..., None, :]
    scaled: np.ndarray = mixes * np.exp(of_rows + of_columns)
    return scaled


def rotations(numbers: np.ndarray) -> np.ndarray:
    """Orthogonal matrices (…, n, n) by Cayley's formula: (I − A)⁻¹ (I + A) with the antisymmetric A of `numbers`."""
    turned = (numbers - numbers.swapaxes(-2, -1)) / 2
    one = np.eye(numbers.shape[-1])
    matrices: np.ndarray = np.linalg.solve(one - turned, one + turned)
    return matrices


def _identity(numbers: np.ndarray, _own: float) -> np.ndarray:
    return np.broadcast_to(np.eye(numbers.shape[-1]), numbers.shape)


def _free(numbers: np.ndarray, _own: float) -> np.ndarray:
    return np.eye(numbers.shape[-1]) + FREE_SIZE * numbers


def _doubly(numbers: np.ndarray, own: float) -> np.ndarray:
    return doubly_stochastic(own * np.eye(numbers.shape[-1]) + numbers)


def _orthogonal(numbers: np.ndarray, _own: float) -> np.ndarray:
    return rotations(FREE_SIZE * numbers)


MIXINGS: Mapping[str, Callable[[np.ndarray, float], np.ndarray]] = {
    "doubly": _doubly,
    "free": _free,
    "orthogonal": _orthogonal,
    "identity": _identity,
}
"""Name → mixes (blocks, n, n) of random numbers of that shape, and of what a lane's own logit has more"""


def mixes(mixing: str, lanes: int, blocks: int, size: float, own: float, seed: int) -> np.ndarray:
    """One matrix for every block, (blocks, lanes, lanes). Raises KeyError for an unknown mixing.

    `size` multiplies the random numbers; `own` is added to the logit with which a lane keeps what is its own.
    """
    numbers = size * np.random.default_rng(seed).standard_normal((blocks, lanes, lanes))
    return MIXINGS[mixing](numbers, own)


def composites(each: np.ndarray) -> np.ndarray:
    """The product of the first 0, 1, … matrices of `each` (blocks, n, n), the later on the left: (blocks + 1, n, n)."""
    products = [np.eye(each.shape[-1])]
    for mix in each:
        products.append(mix @ products[-1])
    return np.array(products)


def gradients(each: np.ndarray, top: np.ndarray) -> np.ndarray:
    """The gradient of every lane from the foot to the top, (blocks + 1, n), for `top` (n,) there."""
    slopes = [top]
    for mix in each[::-1]:
        slopes.append(mix.T @ slopes[-1])
    return np.array(slopes[::-1])


def singular_values(products: np.ndarray) -> np.ndarray:
    """Of matrices (…, n, n), the largest first: (…, n)."""
    values: np.ndarray = np.linalg.svd(products, compute_uv=False)
    return values
