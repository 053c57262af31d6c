"""How far off a reconstructed input is, by dtype, depth and strength; and what need not be kept."""

import math

import numpy as np
import pytest

from sims.instruments.costs.reconstruction import POINTS, WIDTH, held, reconstruct, there_and_back


@pytest.mark.parametrize("seed", range(5))
def test_sixteen_blocks_in_single_precision_are_found_again(seed: int) -> None:
    result = reconstruct("float32", 16, 0.25, seed)
    assert 1e-8 < result.error < 1e-6
    assert result.gradient_error < 1e-5


@pytest.mark.parametrize("seed", range(5))
def test_fewer_digits_find_less(seed: int) -> None:
    errors = [reconstruct(dtype, 16, 0.25, seed).error for dtype in ("float64", "float32", "float16", "bfloat16")]
    assert errors == sorted(errors)
    assert errors[0] < 1e-14
    assert errors[3] > 3 * errors[2]


@pytest.mark.parametrize("seed", range(3))
def test_strong_branches_break_sixteen_bits(seed: int) -> None:
    """With branches as strong as their input: nothing is left of it behind 16 blocks, and no number behind 32."""
    assert reconstruct("float16", 16, 1.0, seed).error > 1
    assert math.isnan(reconstruct("float16", 32, 1.0, seed).error)
    assert reconstruct("float64", 16, 1.0, seed).error < 1e-6


def test_errors_grow_with_depth_and_strength() -> None:
    assert reconstruct("float32", 4, 0.25, 0).error < reconstruct("float32", 32, 0.25, 0).error
    assert reconstruct("float32", 16, 0.1, 0).error < reconstruct("float32", 16, 0.5, 0).error


def test_a_stream_comes_back_or_overflows() -> None:
    given = np.random.default_rng(0).standard_normal(WIDTH)
    out, back = there_and_back("float64", 16, 0.25, 0, given)
    assert np.abs(out - given).max() > 0.1
    np.testing.assert_allclose(back, given, atol=1e-12)
    assert np.isnan(there_and_back("float16", 64, 1.0, 0, given)[1]).any()


def test_what_is_held_grows_with_the_blocks_or_does_not() -> None:
    """Ordinary: two inputs of linear layers to a branch, and every half but the last. Reversible: the output, and one
    branch while it is computed again."""
    ordinary, reversible = zip(*(held("float32", blocks) for blocks in (4, 8, 16)), strict=True)
    half = POINTS * WIDTH // 2 * 4
    assert ordinary[2] - ordinary[1] == 2 * (ordinary[1] - ordinary[0]) == 8 * 4 * half
    assert set(reversible) == {4 * half}
    assert held("bfloat16", 8) == (ordinary[1] / 2, reversible[1] / 2)
