"""Which limit each scaling has: orders of convergence over twenty seeds (F-06)."""

import numpy as np
import pytest

from sims.simulations.theories.ode import DEPTHS, Ode, limit, off


@pytest.mark.exhaustive
@pytest.mark.parametrize("statistic", ["lowest", "median", "highest"])
def test_f_06_smooth_weights_and_one_over_l_converge_in_first_order(statistic: str) -> None:
    gaps = [
        limit(weights="smooth", factor="1/L", blocks=blocks, what="gap", statistic=statistic) for blocks in (64, 256)
    ]
    assert gaps[0] / gaps[1] == pytest.approx(4, abs=0.5)
    assert off(blocks=64, statistic=statistic) / off(blocks=256, statistic=statistic) == pytest.approx(4, abs=0.5)


def test_f_06_independent_weights_freeze_with_one_over_l_and_stay_random_with_one_over_root_l() -> None:
    def moved(factor: str, blocks: int) -> float:
        return limit(weights="independent", factor=factor, blocks=blocks, what="moved")

    assert moved("1/L", 16) / moved("1/L", 256) == pytest.approx(4, rel=0.25)
    assert 0.75 < moved("1/√L", 512) / moved("1/√L", 16) < 1.25
    gaps = [limit(weights="independent", factor="1/√L", blocks=count, what="gap") for count in (16, 512)]
    assert 0.6 < gaps[1] / gaps[0] < 1.4


def test_f_06_smooth_weights_diverge_with_one_over_root_l() -> None:
    moved = [limit(weights="smooth", factor="1/√L", blocks=blocks, what="moved") for blocks in (16, 256)]
    assert moved[1] / moved[0] > 3


def test_without_a_factor_smooth_weights_move_like_the_depth_and_independent_ones_like_its_root() -> None:
    ratios = {
        weights: limit(weights=weights, factor="1", blocks=256, what="moved")
        / limit(weights=weights, factor="1", blocks=16, what="moved")
        for weights in ("smooth", "independent")
    }
    assert ratios["smooth"] > 12
    assert 2.5 < ratios["independent"] < 6


def test_a_frame_draws_the_depth_that_its_numbers_are_of() -> None:
    frame = Ode(depth=32, seed=4).compute()
    assert frame["here"].shape == (33, 12, 2)
    assert frame["double"].shape == (65, 12, 2)
    gap = np.sqrt(np.square(frame["here"][-1] - frame["double"][-1]).sum(axis=1).mean())
    assert frame.results["gap"] == pytest.approx(gap)
    assert frame["gap"][DEPTHS.index(32)] == pytest.approx(gap)
