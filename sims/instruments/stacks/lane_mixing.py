"""Several lanes instead of one stream, and the small matrices that mix them between blocks.

Every block maps the lanes X, an array (lanes, width), to H X (Zhu et al. 2409.19606, without what blocks read and
write). After many blocks the lanes are C X with the composite C = H_l … H_1, and a gradient returns through Cᵀ.
"""

from collections.abc import Callable, Mapping

import numpy as np

FREE_SIZE = 0.3
"""Scale of the standard normal numbers in mixes around the identity"""

ROUNDS, STEPS, ENOUGH = 20, 40, 1e-10
"""Rounds of Sinkhorn–Knopp; the most steps of Newton's method after them; and how far from 1 a sum may then be"""


def doubly_stochastic(logits: np.ndarray) -> np.ndarray:
    """Divide rows and columns of exp(`logits`), (…, n, n), by their sums in turn, until both sum to 1 (Sinkhorn and
    Knopp 1967).

    Close to the identity this takes thousands of rounds. So Newton's method takes over after the first twenty: its
    limit is the same, since only one doubly stochastic matrix can be reached by scaling rows and columns.
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
    """Scale rows and columns so that all sums become 1 to first order, with no factor above e or below 1/e."""
    lanes = mixes.shape[-1]
    slopes = np.zeros((*mixes.shape[:-2], 2 * lanes, 2 * lanes))
    place = np.arange(lanes)
    slopes[..., place, place], slopes[..., lanes + place, lanes + place] = rows, columns
    slopes[..., :lanes, lanes:], slopes[..., lanes:, :lanes] = mixes, mixes.swapaxes(-2, -1)
    # Multiplying all rows by a number and dividing all columns by it changes nothing, so the system is singular:
    # the last column's factor is fixed.
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
"""Name → function that makes mixes (blocks, n, n) of random numbers of that shape and of the extra logit on the
diagonal"""


def mixes(mixing: str, lanes: int, blocks: int, size: float, own: float, seed: int) -> np.ndarray:
    """One matrix for every block, (blocks, lanes, lanes). Raises KeyError for an unknown mixing.

    `size` multiplies the random numbers; `own` is added to the logits on the diagonal, by which a lane keeps its own
    content.
    """
    numbers = size * np.random.default_rng(seed).standard_normal((blocks, lanes, lanes))
    return MIXINGS[mixing](numbers, own)


def composites(mixes: np.ndarray) -> np.ndarray:
    """The product of the first 0, 1, … of `mixes` (blocks, n, n), the later on the left: (blocks + 1, n, n)."""
    products = [np.eye(mixes.shape[-1])]
    for mix in mixes:
        products.append(mix @ products[-1])
    return np.array(products)


def gradients(mixes: np.ndarray, top: np.ndarray) -> np.ndarray:
    """The gradient of every lane from the first block's input to the last block's output, (blocks + 1, n), for `top`
    (n,) at the output."""
    slopes = [top]
    for mix in mixes[::-1]:
        slopes.append(mix.T @ slopes[-1])
    return np.array(slopes[::-1])


def singular_values(products: np.ndarray) -> np.ndarray:
    """Singular values (…, n) of matrices (…, n, n), the largest first."""
    values: np.ndarray = np.linalg.svd(products, compute_uv=False)
    return values
