"""Numbers in sentences."""

import pytest

from sims.contract.spoken import spoken


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "exactly 0"), (321.5, "320"), (0.8887, "0.89"), (1.0, "1.0"), (-0.0345, "−0.035"), (9.96, "10"),
        (437_000.0, "4.4 × 10⁵"), (4.83e-7, "4.8 × 10⁻⁷"), (-2e-9, "−2.0 × 10⁻⁹"), (float("nan"), "no finite number"),
        (float("inf"), "no finite number"), (12_345.0, "12000"),
    ],
)  # fmt: skip
def test_a_number_is_said_without_e(value: float, words: str) -> None:
    assert spoken(value) == words


def test_more_digits() -> None:
    assert spoken(0.27918, 3) == "0.279"
