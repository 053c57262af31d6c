"""Path lengths of networks that train: what holds over the seeds."""

import numpy as np
import pytest

from sims.contract.simulation import Frame
from sims.instruments.gradients.path_sums import weighted
from sims.simulations.gradients import path_lengths
from sims.simulations.gradients.path_lengths import PathLengths, _run, gain_of_mean


@pytest.fixture(scope="module")
def trained() -> Frame:
    return PathLengths(blocks=16, training_steps=200).compute()


def test_b_18_the_paths_that_matter_are_short(trained: Frame) -> None:
    assert trained.results["test_error"] < 0.15
    assert trained.results["mean_count"] == 8
    assert trained.results["mean_measured"] < 4
    assert trained.results["within"] <= 7


def test_the_direct_path_carries_little_and_shares_add_up(trained: Frame) -> None:
    assert (trained["share_high"][0] < 0.2).all()
    one = PathLengths(blocks=6, seeds=1)
    one = one.frame(one.start())
    assert one["share"].sum() == pytest.approx(1, abs=1e-9)
    assert np.array_equal(one["share"], one["share_low"])


def test_training_makes_paths_agree() -> None:
    """Ratios of three seeds, before and after; a factor of 1 is what random directions give."""
    before, after = (path_lengths.alignment(blocks=8, trained=trained) for trained in (False, True))
    assert 0.7 < float(before) < 1.4
    assert float(after) > 1.4 * float(before)


def test_branches_of_full_size_have_longer_paths() -> None:
    scaled, full = (
        PathLengths(blocks=10, branch_factor=factor, training_steps=200, seeds=1).compute().results["mean_measured"]
        for factor in ("1/sqrt(blocks)", "1")
    )
    assert float(full) > 1.5 * float(scaled)


def test_the_gain_of_the_formula_leaves_the_network_alone() -> None:
    frames = [PathLengths(blocks=5, gain=gain, seeds=1) for gain in (0.1, 0.9)]
    one, other = (frame.frame(frame.start()) for frame in frames)
    assert np.array_equal(one["share"], other["share"])
    assert not np.array_equal(one["formula"], other["formula"])
    assert "gain" not in PathLengths.restarts


def test_sizes_of_single_paths_overrate_the_long_ones() -> None:
    exact = PathLengths(blocks=8).frame(_run(8, trained=True)).results["mean_measured"]
    assert float(path_lengths.mean_of_single_paths(blocks=8)) > float(exact)


def test_the_gain_of_a_mean_length_gives_that_mean() -> None:
    for blocks, gain in ((54, 0.2), (16, 1.0), (110, 0.01)):
        length = blocks * gain / (1 + gain)
        assert gain_of_mean(blocks, length) == pytest.approx(gain)
        weights = weighted(blocks, gain)
        assert np.arange(blocks + 1) @ weights == pytest.approx(length)
    assert gain_of_mean(4, 4.0) == float("inf")
