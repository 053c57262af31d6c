"""Lanes: doubly stochastic mixes keep the size and lose the difference, free ones blow up, rotations keep both."""

import numpy as np
import pytest

from sims.simulations.wiring.lanes import Lanes, kept, stretch


def test_random_doubly_stochastic_mixes_make_all_lanes_one() -> None:
    assert stretch("doubly", "largest", "highest") == pytest.approx(1, abs=1e-6)
    assert stretch("doubly", "second", "highest") < 1e-6
    dye = Lanes().compute()["dye"]
    assert dye[-1] == pytest.approx([0.25] * 4, abs=1e-6)
    assert dye.sum(axis=1) == pytest.approx(np.ones(61), abs=1e-5)


def test_free_mixes_stretch_by_more_than_a_hundred() -> None:
    assert stretch("free") > 100
    assert Lanes(mixing="free").compute().results["gain"] > 100


def test_rotations_keep_sizes_and_differences() -> None:
    for value in ("largest", "second"):
        assert stretch("orthogonal", value, "lowest") == pytest.approx(1, abs=1e-9)


def test_a_strong_own_logit_keeps_the_lanes_apart() -> None:
    assert stretch("doubly", "second", "lowest", own=8.0) > 0.5
    assert kept(8.0) > 0.9 > 0.3 > kept(3.0)


def test_without_mixing_nothing_moves() -> None:
    frame = Lanes(mixing="identity", dyed=2).compute()
    assert (frame["dye"] == np.eye(4)[1]).all()
    assert frame.results == {"gain": 1, "kept": 1, "most": 1, "second": 1}


def test_the_gradient_starts_in_the_dyed_lane_at_the_top() -> None:
    gradient = Lanes(dyed=3, depth=5).compute()["gradient"]
    assert gradient[-1].tolist() == [0, 0, 1, 0]
    assert gradient.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-6)


def test_a_lane_that_is_not_there_is_the_last_one() -> None:
    simulation = Lanes(lanes=1, dyed=5)
    frame = simulation.compute()
    assert simulation.lane == 0
    assert "second" not in frame.results
    assert "lane 1 of 1" in simulation.describe(frame)
