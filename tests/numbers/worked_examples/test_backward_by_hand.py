"""The worked examples of the page on the backward pass, with the numbers of its brief."""

import pytest

from sims.numbers.call import parse
from sims.numbers.worked_examples.backward_by_hand import nudged, small_block


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("z", "[2, 1.5]"),
        ("h", "[2, 1.5]"),
        ("branch", "[1, 0.5]"),
        ("y", "[2, 2.5]"),
        ("dh", "[−1.5, 2]"),
        ("dz", "[−1.5, 2]"),
        ("dW2", "[2, 1.5; −4, −3]"),
        ("dW1", "[−1.5, −3; 2, 4]"),
        ("by branch", "[−2.5, 1.25]"),
        ("dx", "[−1.5, −0.75]"),
    ],
)
def test_wb_1_every_number(name, expected):
    assert small_block(what=name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("z", "[0, 1]"),
        ("branch", "[0, −1]"),
        ("y", "[1, 1]"),
        ("dz", "[0, 2]"),
        ("by branch", "[1, 0.5]"),
        ("dx", "[2, −1.5]"),
    ],
)
def test_wb_2_a_unit_at_the_boundary_is_dead(name, expected):
    assert small_block(what=name, a=1, b=-0.5, c=0.5, d=0.25) == expected
    assert small_block(what="dW1", a=1, b=-0.5, c=0.5, d=0.25).startswith("[0, 0;")


def test_wb_1_finite_differences_agree():
    assert nudged() == small_block(what="dx")


def test_e_14_ninety_six_blocks_have_192_additions():
    additions, arguments = parse("recipes.additions(blocks=96)")
    assert additions(**arguments) == 192
