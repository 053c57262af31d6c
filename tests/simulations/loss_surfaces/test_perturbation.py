"""W3.1 and D-02: the five rows, by hand; and what becomes of a change in deep networks."""

import numpy as np
import pytest

from sims.simulations.loss_surfaces import perturbation
from sims.simulations.loss_surfaces.perturbation import Perturbation, deep_changes

BY_HAND = {
    "plain, one layer": [0.15, 0.15],
    "residual, one layer": [0.15, 0.15],
    "plain, two layers": [0.105, 0.225],
    "residual, two-layer branch": [0.105, 0.225],
    "two residual blocks": [0.255, 0.375],
}


def test_d_02_the_five_changes_are_those_worked_out_by_hand() -> None:
    """D-02: all five vectors to 1e-12, and their lengths."""
    simulation = Perturbation()
    frame = simulation.compute()
    assert "(plain, one layer: 0.2121; residual, one layer: 0.2121; " in simulation.describe(frame)
    for row, moved in zip(frame["network"].tolist(), frame["moved"], strict=True):
        np.testing.assert_allclose(moved, BY_HAND[row], atol=1e-12)
    np.testing.assert_allclose(frame["change"], [0.2121, 0.2121, 0.2483, 0.2483, 0.4535], atol=5e-5)


def test_w3_1_outputs_before_and_after() -> None:
    assert perturbation.hidden() == "[0.95, 0.55]"
    assert perturbation.answer(network="residual_1") == "[1.95, 1.05]"
    assert perturbation.answer(network="plain_2", epsilon=0.1) == "[0.97, 1.21]"
    assert perturbation.answer(network="residual_2", epsilon=0.1) == "[1.97, 1.71]"
    assert perturbation.answer(network="stacked") == "[3.765, 2.985]"
    assert perturbation.answer(network="stacked", epsilon=0.1) == "[4.02, 3.36]"


def test_a_skip_stretches_more() -> None:
    """The singular values of W₂ and of I + W₂."""
    actual = [perturbation.singular_value(which=which, skip=skip) for skip in (False, True) for which in (1, 2)]
    np.testing.assert_allclose(actual, [1.31, 1.16, 2.27, 2.13], atol=6e-3)


def test_w3_2_two_weights_that_trade_their_sizes() -> None:
    assert perturbation.pushed(first=2, second=3, step=0) == perturbation.pushed(first=20, second=0.3, step=0) == 6
    assert perturbation.pushed(first=2, second=3, step=0.5) == 7
    assert perturbation.pushed(first=20, second=0.3, step=0.5) == 16
    for first, second in ((2, 3), (20, 0.3)):
        assert perturbation.stretched(first=first, second=second, share=0.25) == pytest.approx(7.5)


def test_an_equal_branch_moves_equally_far_whatever_the_numbers() -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        names = [name for name in Perturbation.param if name.startswith(("x_", "first_", "second_"))]
        frame = Perturbation(**dict(zip(names, random.uniform(-2, 2, len(names)).tolist(), strict=True))).compute()
        change = frame["change"]
        np.testing.assert_allclose(change[[0, 2]], change[[1, 3]], atol=1e-12)


def test_a_change_grows_in_a_residual_stack_and_is_tamed_by_small_branches() -> None:
    change = {kind: np.median(deep_changes(kind, 24, 1, 0.1)[0][-1]) for kind in perturbation.DEEP}
    assert change["residual"] > 100 * max(change["plain"], change["scaled"], change["pre-layer"])


def test_relative_to_the_stream_the_order_turns_over() -> None:
    change = {
        kind: np.median(changes[0][-1] / changes[1][-1])
        for kind in perturbation.DEEP
        for changes in [deep_changes(kind, 24, 1, 0.1)]
    }
    assert change["plain"] == max(change.values())


def test_nothing_moves_in_front_of_the_changed_block() -> None:
    change, length = deep_changes("residual", 12, 5, 0.1)
    assert (change[:5] == 0).all()
    assert (change[5:] > 0).all()
    assert (length > 0).all()


def test_a_block_beyond_the_last_is_the_last() -> None:
    assert Perturbation(depth=3, place=9).compute().results["place"] == 3


def test_a_larger_bound_does_not_mean_a_larger_move() -> None:
    """With other weights in W₂ the residual blocks move less far than the plain layers."""
    plain, residual = 0.8 * 0.15 * 2**0.5, 0.2 * 0.15 * 2**0.5
    rows = {"second_11": 1.2, "second_12": -2.0, "second_21": 1.2, "second_22": -2.0}
    frame = Perturbation(**rows).compute()
    assert [frame.results["plain_2"], frame.results["stacked"]] == pytest.approx([plain, residual])
