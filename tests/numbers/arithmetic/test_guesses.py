"""Losses in other words."""

import math

import pytest

from sims.numbers.arithmetic.guesses import bits, choices, entropy


def test_a_fair_choice_among_eight_is_three_bits():
    assert choices(math.log(8)) == pytest.approx(8)
    assert bits(math.log(8)) == pytest.approx(3)


def test_the_entropy_of_two_letters_is_largest_when_both_are_as_likely():
    assert entropy(0.5) == pytest.approx(math.log(2))
    assert entropy(1) == 0
    assert entropy(0.9) < entropy(0.8) < entropy(0.5)
