"""Sums of products, point by point: against numpy's, and with the same bits however many are taken at once."""

import numpy as np
import pytest

from sims.engines.kernels.vectors import LANES
from sims.engines.transformers.kernels.products import products

COUNT = 11
SEVERAL = (1, 3, 4, 7, 8, 13, 16)
BATCHES = (1, 7, LANES, 3 * LANES, 4 * LANES, 5 * LANES + 3)


def sums_of(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The sums (several, B) for left (count, B) and right (several, count, B), all of which lie apart in memory."""
    several, count, batch = right.shape
    wide_left, wide_right = (
        np.full((count, batch + 5), np.nan, left.dtype),
        np.full((count, several, batch), np.nan, left.dtype),
    )
    out = np.full((several, batch + 2), np.nan, left.dtype)
    wide_left[:, :batch], wide_right[:] = left, right.transpose(1, 0, 2)
    flat = wide_left.reshape(-1), wide_right.reshape(-1), out.reshape(-1)
    products(flat[0], batch + 5, flat[1], several * batch, batch, count, flat[2], batch + 2, several, batch)
    assert np.isnan(out[:, batch:]).all()
    return out[:, :batch]


def numbers(several: int, batch: int, kind: type[np.floating]) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(several + 100 * batch)
    return random.normal(size=(COUNT, batch)).astype(kind), random.normal(size=(several, COUNT, batch)).astype(kind)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("several", SEVERAL)
def test_they_are_those_of_numpy(several: int, batch: int, kind: type[np.floating]) -> None:
    left, right = numbers(several, batch, kind)
    expected = np.einsum("kb,nkb->nb", left.astype(np.float64), right)
    np.testing.assert_allclose(sums_of(left, right), expected, atol=1e-5 if kind is np.float32 else 1e-13)


@pytest.mark.parametrize("batch", [LANES, 4 * LANES])
@pytest.mark.parametrize("several", SEVERAL)
def test_a_sum_has_the_same_bits_alone_and_among_others(several: int, batch: int) -> None:
    left, right = numbers(several, batch, np.float32)
    together = sums_of(left, right)
    for n in range(several):
        for b in range(0, batch, LANES):
            of_points = slice(b, b + LANES)
            alone = sums_of(left[:, of_points], right[n : n + 1, :, of_points])
            assert alone[0].tobytes() == together[n, of_points].tobytes()
