"""Many exponentials at once are those of the C library, bit by bit."""

import numba
import numpy as np
import pytest

from sims.engines.kernels.exponentials import exponential, exponential_of
from sims.engines.kernels.vectors import LANES, load, store

EDGES = [0.0, -0.0, 1e-45, -1e-30, 88.7, 88.8, 200.0, -87.4, -103.2, -103.5, -103.97, -103.98, -104.5, -1e30]


@numba.njit
def in_vectors(numbers: np.ndarray, out: np.ndarray) -> None:
    for i in range(0, numbers.size, LANES):
        store(out, i, exponential(load(numbers, i)))


@numba.njit
def one_by_one(numbers: np.ndarray, out: np.ndarray) -> None:
    for i in range(numbers.size):
        out[i] = exponential_of(numbers[i])


@numba.njit
def of_the_library(numbers: np.ndarray, out: np.ndarray) -> None:
    for i in range(numbers.size):
        out[i] = np.exp(numbers[i])


def numbers() -> np.ndarray:
    """Edges, infinities, and numbers of all sizes."""
    random = np.random.default_rng(0)
    samples = np.concatenate(
        [random.uniform(-110, 90, 4000), random.normal(size=4000), -(10.0 ** random.uniform(-40, 3, 90))]
    )
    values = np.concatenate([EDGES, [np.inf, -np.inf], samples])
    return np.resize(values, -(-len(values) // LANES) * LANES)


@pytest.mark.parametrize("kernel", [in_vectors, one_by_one])
def test_single_precision_has_the_bits_of_the_library(kernel: object) -> None:
    inputs = numbers().astype(np.float32)
    actual, expected = np.empty_like(inputs), np.empty_like(inputs)
    kernel(inputs, actual)  # type: ignore[operator]
    of_the_library(inputs, expected)
    assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("kernel", [in_vectors, one_by_one])
def test_double_precision_is_the_library_itself(kernel: object) -> None:
    inputs = numbers()
    actual, expected = np.empty_like(inputs), np.empty_like(inputs)
    kernel(inputs, actual)  # type: ignore[operator]
    of_the_library(inputs, expected)
    assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_not_a_number_stays_so(dtype: type) -> None:
    inputs, outputs = np.full(LANES, np.nan, dtype), np.zeros(LANES, dtype)
    in_vectors(inputs, outputs)
    assert np.isnan(outputs).all()
