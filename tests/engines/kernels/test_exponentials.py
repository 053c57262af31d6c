"""Many exponentials at once are those of the C library, bit by bit in single precision; so is the logarithm, nearly."""

from decimal import Decimal, localcontext

import numba
import numpy as np
import pytest

from sims.engines.kernels.exponentials import LEAST, exponential, exponential_of, logarithm
from sims.engines.kernels.vectors import LANES, load, store

EDGES = [0.0, -0.0, 1e-45, -1e-30, 88.7, 88.8, 200.0, 709.7, 710.0, LEAST, -41.49, -41.51, -87.4, -104.5, -1e30]


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
def test_single_precision_has_the_bits_of_the_library_down_to_the_least(kernel: object) -> None:
    inputs = numbers().astype(np.float32)
    actual, expected = np.empty_like(inputs), np.empty_like(inputs)
    kernel(inputs, actual)  # type: ignore[operator]
    of_the_library(inputs, expected)
    assert actual.tobytes() == np.where(inputs < LEAST, np.float32(0), expected).tobytes()


@pytest.mark.parametrize("kernel", [in_vectors, one_by_one])
def test_double_precision_is_as_good_as_the_library(kernel: object) -> None:
    inputs = numbers()
    actual, expected = np.empty_like(inputs), np.empty_like(inputs)
    kernel(inputs, actual)  # type: ignore[operator]
    of_the_library(inputs, expected)
    np.testing.assert_allclose(actual, np.where(inputs < LEAST, 0, expected), rtol=3e-16, atol=0)


def test_the_logarithm_against_forty_digits() -> None:
    values = np.concatenate([[1, np.nextafter(1, 2), 1.5, 1.5000001, 2, 3, 100], np.geomspace(1, 1000, 500)])
    with localcontext() as context:
        context.prec = 40
        exact = np.array([float(Decimal(value).ln()) for value in values.tolist()])
    np.testing.assert_allclose([logarithm(value) for value in values], exact, rtol=5e-16, atol=0)
    assert np.isnan(logarithm(np.nan))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_not_a_number_stays_so(dtype: type) -> None:
    inputs, outputs = np.full(LANES, np.nan, dtype), np.zeros(LANES, dtype)
    in_vectors(inputs, outputs)
    assert np.isnan(outputs).all()
