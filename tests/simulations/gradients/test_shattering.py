"""Shattered gradients: the order of the networks, what a branch's end changes, and what a frame holds (B-19)."""

import numpy as np
import pytest

from sims.simulations.gradients.shattering import BRANCHES, STARTS, Shattering, input_likeness, likeness


def test_b_19_fifty_plain_layers_shatter_and_scaled_skips_do_not() -> None:
    assert likeness(connection="plain", depth=50) < 0.5 < 0.85 < likeness(connection="scaled", depth=50)


def test_b_19_no_statement_about_plain_gradients_but_their_range_holds_for_all_ten_seeds() -> None:
    lowest, highest = (likeness(connection="plain", depth=50, statistic=name) for name in ("lowest", "highest"))
    assert lowest < 0.1
    assert highest > 0.7


@pytest.mark.parametrize("branch", ["linear", "two-layer"])
def test_b_19_a_bare_skip_shatters_too_where_its_branch_ends_in_a_linear_layer(branch: str) -> None:
    bare = [likeness(connection="residual", depth=depth, branch=branch) for depth in (1, 10, 20, 50)]
    assert bare == sorted(bare, reverse=True)
    assert bare[-1] < 0.5 < 0.9 < likeness(connection="residual", depth=50, statistic="lowest")
    normalized, scaled = (likeness(connection=name, depth=50, branch=branch) for name in ("normalized", "scaled"))
    assert bare[-1] < normalized < scaled


def test_b_19_a_branch_that_ends_in_a_relu_turns_inputs_at_a_right_angle_into_one() -> None:
    assert input_likeness(connection="residual", depth=50, statistic="lowest") > 0.999
    for branch in ("linear", "two-layer"):
        assert input_likeness(connection="scaled", depth=50, branch=branch) < 0.3
    assert input_likeness(connection="scaled", depth=50) > 0.99


def test_b_19_likeness_falls_with_the_depth_of_plain_networks() -> None:
    values = [likeness(connection="plain", depth=depth) for depth in (1, 5, 20, 50)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("connection", ["residual", "scaled", "normalized"])
def test_the_plain_network_is_the_same_for_each_residual_one(connection: str, branch: str) -> None:
    frame = Shattering(depth=10, connection=connection, branch=branch).compute()
    beside = Shattering(depth=10).compute()
    assert np.array_equal(frame["plain_slope"], beside["plain_slope"])
    assert frame["residual_likeness"][0] == pytest.approx(1)
    assert np.square(frame["residual_slope"]).mean() == pytest.approx(1)


def test_the_number_of_the_prose_is_a_median_of_frames() -> None:
    values = [Shattering(depth=5, seed=seed).compute().results["plain"] for seed in range(STARTS)]
    assert likeness(connection="plain", depth=5) == pytest.approx(float(np.median(values)))


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_numbers_of_other_branches_are_those_of_frames(branch: str) -> None:
    values = [
        Shattering(depth=5, connection="residual", branch=branch, seed=seed).compute().results["residual"]
        for seed in range(STARTS)
    ]
    assert likeness(connection="residual", depth=5, branch=branch, statistic="lowest") == pytest.approx(min(values))
