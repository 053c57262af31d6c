"""Measures of ruggedness on surfaces of which they are known."""

import numpy as np
import pytest

from sims.instruments.surfaces.ruggedness import bent_down, excess_variation, minima, ruggedness

LINE = np.linspace(-1, 1, 41)
A, B = np.meshgrid(LINE, LINE)
BOWL = A**2 + 2 * B**2
EGG_BOX = BOWL + 0.5 * np.cos(6 * np.pi * A) * np.cos(6 * np.pi * B)


def test_a_bowl_is_smooth_and_an_egg_box_is_not() -> None:
    assert excess_variation(BOWL) == pytest.approx(0, abs=1e-12)
    assert minima(BOWL) == 1
    assert bent_down(BOWL) == 0
    assert excess_variation(EGG_BOX) > 0.5
    assert 40 < minima(EGG_BOX) < 80
    assert 0.3 < bent_down(EGG_BOX) < 0.9


def test_a_valley_counts_by_how_far_one_has_to_climb_out_of_it() -> None:
    """Two valleys with a ridge of 0.2 between them, and one whose bottom is at the edge."""
    double = np.abs(np.abs(A) - 0.5) * 0.4 + B**2
    for deeper, expected in ((0.01, 2), (0.19, 2), (0.21, 1)):
        assert minima(double, deeper) == expected
    assert minima(A + B**2) == 0


def test_a_high_rim_hides_no_valley() -> None:
    """Two valleys stay two where the slice climbs to a million around them."""
    double = np.abs(np.abs(A) - 0.5) * 0.4 + 1e6 * B**2
    assert minima(double) == 2


def test_the_shares_do_not_depend_on_the_unit_and_a_depth_has_one() -> None:
    for measure in (excess_variation, bent_down):
        assert measure(1000 * EGG_BOX + 7) == pytest.approx(measure(EGG_BOX))
    assert minima(1000 * EGG_BOX + 7, 100) == minima(EGG_BOX, 0.1)


def test_excess_counts_the_way_up_and_down() -> None:
    """Every row goes down by one and up by one twice over: twice what a single valley needs."""
    zigzag = np.tile([1.0, 0.0, 1.0, 0.0, 1.0], (5, 1))
    assert excess_variation(zigzag) == pytest.approx(1.0)


def test_a_flat_slice_has_nothing_in_excess() -> None:
    assert excess_variation(np.ones((5, 5))) == 0
    assert minima(np.ones((5, 5))) == 0


def test_a_slice_that_leaves_the_finite_numbers_has_no_excess() -> None:
    broken = BOWL.copy()
    broken[0, 0] = np.inf
    assert np.isnan(excess_variation(broken))


def test_a_wave_finer_than_the_grid_is_not_resolved() -> None:
    fast = BOWL + 0.3 * np.random.default_rng(0).normal(size=BOWL.shape)
    assert ruggedness(BOWL).resolved
    assert not ruggedness(fast).resolved
    assert not ruggedness(EGG_BOX[:6, :6]).resolved
