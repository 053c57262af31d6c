"""D-09: rescaling changes the raw slice, and neither the function nor the normalized slice."""

import numpy as np
import pytest

from sims.instruments.networks.decision_map import LEVELS, SIDE
from sims.simulations.loss_surfaces import rescale_trap
from sims.simulations.loss_surfaces.rescale_trap import FACTORS, RescaleTrap, loss_on_slice, loss_with_units_rescaled


@pytest.mark.parametrize("factor", [0.1, 0.5, 2.0, 10.0])
def test_d_09_function_and_normalized_slice_stay_and_the_raw_slice_does_not(factor: float) -> None:
    """D-09: the function to 1e-10, the normalized slice to 1e-6, for every factor of the slider."""
    frame = RescaleTrap(factor=factor).compute()
    assert frame.results["change"] < 1e-10
    np.testing.assert_allclose(frame["normalized"], frame["normalized_before"], rtol=1e-6)
    assert np.abs(np.log(frame["raw"] / frame["raw_before"])).max() > 0.1


def test_ten_times_the_scale_makes_a_large_difference() -> None:
    assert loss_on_slice(kind="raw", factor=10.0) > 5 * loss_on_slice(kind="raw", factor=1.0)


def test_the_network_has_learned_something() -> None:
    frame = RescaleTrap().compute()
    assert frame.results["loss"] < 0.1
    assert frame["raw"][20] == frame["normalized"][20] == frame.results["loss"]


def test_d_09_filter_normalization_notices_the_rescaling_of_single_units() -> None:
    """D-09: the function stays to rounding; the normalized slice does not, though it does for whole layers."""
    trained = rescale_trap._trained()
    assert rescale_trap.largest_change(rescale_trap.units_rescaled(trained, 10.0)) < 1e-10
    before = loss_on_slice(kind="normalized", factor=1.0)
    assert loss_on_slice(kind="normalized", factor=10.0) == pytest.approx(before)
    assert loss_with_units_rescaled(factor=1.0) == pytest.approx(before)
    assert loss_with_units_rescaled(factor=10.0) > 50 * before


def test_the_maps_before_the_move_and_along_the_normalized_direction_are_the_same_for_every_factor() -> None:
    """Up to rounding in single precision, which may put a cell at an edge on the other side of it."""
    first, *others = (RescaleTrap(factor=factor).compute() for factor in FACTORS)
    for name in ("before_answers", "normalized_answers"):
        assert all(np.mean(first[name] != other[name]) < 0.001 for other in others)


def test_the_raw_direction_ruins_the_answers_of_a_network_that_is_rescaled_a_lot() -> None:
    """The share of the plane where the class differs from the one before the move."""
    changed = {}
    for factor in (1.0, 10.0):
        frame = RescaleTrap(factor=factor).compute()
        assert frame["raw_answers"].shape == (SIDE, SIDE)
        changed[factor] = np.mean(frame["raw_answers"] // LEVELS != frame["before_answers"] // LEVELS)
    assert changed[1.0] < 0.15
    assert changed[10.0] > 0.45


def test_the_map_before_the_move_agrees_with_the_points() -> None:
    frame = RescaleTrap().compute()
    column, row = ((frame["points"].T + 2) / 4 * SIDE).astype(int)
    assert np.mean(frame["before_answers"][row, column] // LEVELS == frame["classes"]) > 0.95
