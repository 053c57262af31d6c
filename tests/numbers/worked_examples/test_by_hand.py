"""The worked examples of chapter 1, with the values that they must have."""

import pytest

from sims.numbers.worked_examples import by_hand


def test_ch1_w1_1_sums_and_outputs() -> None:
    assert by_hand.product(row=1, column=2) == pytest.approx(0.06)
    assert [by_hand.sums(row=row) for row in (1, 2)] == pytest.approx([0.11, 0.12])
    assert by_hand.output(skip=False) == "[0.11, 0.12]"
    assert by_hand.output(skip=True) == "[0.61, −0.18]"


def test_ch1_w1_1_lengths_and_cosines() -> None:
    assert by_hand.input_length() == pytest.approx(0.5831, abs=1e-4)
    assert by_hand.length(skip=False) == pytest.approx(0.1628, abs=1e-4)
    assert by_hand.length(skip=True) == pytest.approx(0.6360, abs=1e-4)
    assert by_hand.direction(skip=False) == pytest.approx(0.2002, abs=1e-4)
    assert by_hand.direction(skip=True) == pytest.approx(0.9680, abs=1e-4)


def test_d_08_equal_strength_is_not_equal_length() -> None:
    assert by_hand.share() == pytest.approx(0.27918, abs=1e-4)


def test_ch1_w1_1_singular_values() -> None:
    plain, residual = ([by_hand.singular(skip=skip, which=which) for which in (1, 2)] for skip in (False, True))
    assert plain == pytest.approx([0.3193, 0.2193], abs=1e-4)
    assert residual == pytest.approx([1.1781, 1.0781], abs=1e-4)


def test_b_01_the_floor_holds_and_is_nothing_for_long_branches() -> None:
    for strength in (0.5, 1.0, 3.0, 4.0):
        assert by_hand.singular(skip=True, which=2, strength=strength) >= by_hand.floor(strength=strength)
    assert by_hand.floor() == pytest.approx(1 - 0.3193, abs=1e-4)
    assert by_hand.floor(strength=4.0) == 0


def test_ch1_w1_2_branches_for_maps() -> None:
    assert [by_hand.needed_branch(factor=factor) for factor in (1, -1, 2)] == [0, -2, 1]
    assert by_hand.distance(factor=-1, skip=False) < by_hand.distance(factor=-1, skip=True)
    assert by_hand.distance(factor=1, skip=True) < by_hand.distance(factor=1, skip=False)


def test_ch1_w1_3_three_corrections() -> None:
    assert [by_hand.chain(block=block) for block in range(4)] == pytest.approx([1, 1.5, 1.2, 1.32])
    corrections = [by_hand.correction(block=block) for block in (1, 2, 3)]
    assert corrections == pytest.approx([0.5, -0.3, 0.12])
    assert 1 + sum(corrections) == pytest.approx(by_hand.chain(block=3))


def test_ch1_the_gradient_at_the_input() -> None:
    assert by_hand.input_gradient(skip=False) == "[0.25, −0.15]"
    assert by_hand.input_gradient(skip=True) == "[1.25, 0.35]"


def test_e_02_zeroed_branches() -> None:
    assert by_hand.zeroed_residual_is_exact(blocks=5, width=16) == "True"
    assert by_hand.zeroed_plain_length(blocks=5, width=16) == 0
