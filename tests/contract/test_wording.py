"""Numbers and counts in sentences."""

import math

import pytest

from sims.contract.wording import blocks, number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (1.0, "1"), (2.197, "2.2"), (190.05, "190"), (13_785.8, "13,786"), (-0.3, "−0.3"),
        (0.00079792, "7.98 × 10⁻⁴"), (3.4868e-11, "3.49 × 10⁻¹¹"), (2.479e11, "2.48 × 10¹¹"), (1e6, "1 × 10⁶"),
        (99_999.0, "99,999"), (-4e-10, "−4 × 10⁻¹⁰"), (math.inf, "infinity"), (math.nan, "not a number"),
    ],
)  # fmt: skip
def test_a_number_as_a_printer_sets_it(value: float, text: str) -> None:
    if text in ("13,786", "99,999"):
        assert number(value, 5) == text
    else:
        assert number(value) == text


def test_one_block_is_no_blocks() -> None:
    assert (blocks(1), blocks(2)) == ("1 block", "2 blocks")
