"""What stands last in a branch: only additions from a ReLU, and both directions from a linear layer."""

import pytest

from sims.simulations.shortcuts.last_op import ENDINGS, LastOp, lowest_step, mean


@pytest.mark.parametrize("seed", range(5))
def test_e_17_a_relu_at_the_end_only_adds(seed: int) -> None:
    """Five starts: the smallest step is not negative, and the mean climbs in every block."""
    frame = LastOp(ending="relu", seed=seed).compute()
    assert frame["lowest"].min() >= 0
    assert (frame["mean"][1:] > frame["mean"][:-1]).all()
    assert frame.results["down"] == 0


@pytest.mark.parametrize("ending", [name for name in ENDINGS if name != "relu"])
def test_e_17_other_orders_move_both_ways(ending: str) -> None:
    frame = LastOp(ending=ending).compute()
    assert frame["lowest"].max() < 0
    assert frame.results["mean"] < 2


def test_e_17_how_fast_the_mean_climbs() -> None:
    assert mean(blocks=1) == pytest.approx(0.22, abs=0.05)
    assert mean(blocks=10) == pytest.approx(5, abs=1)
    assert 30 < mean(blocks=20) < 65
    assert lowest_step(ending="relu") >= 0 > lowest_step(ending="linear")


def test_a_relu_behind_the_sum_leaves_nothing_negative() -> None:
    assert LastOp(ending="after").compute().results["negative"] == 0
    assert LastOp(ending="pre").compute().results["negative"] > 0.3


def test_the_shares_of_every_block_are_all_of_it() -> None:
    frame = LastOp(blocks=4).compute()
    assert frame["shares"].shape == (5, len(frame["edges"]) - 1)
    assert frame["shares"].sum(axis=1) == pytest.approx(1)
