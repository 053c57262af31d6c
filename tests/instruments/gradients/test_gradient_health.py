"""Marks of gradients: measured against the median, with a kind of its own for exact zero."""

import numpy as np
import pytest

from sims.instruments.gradients.gradient_health import LEVEL, STRONG, WEAK, ZERO, health, middle


def test_kinds_differ_from_the_median_by_a_factor_of_ten() -> None:
    norms = np.array([1.0, 0.11, 9.9, 0.09, 11.0, 1.0, 0.0])
    assert health(norms).tolist() == [LEVEL, LEVEL, LEVEL, WEAK, STRONG, LEVEL, ZERO]


def test_zeros_do_not_move_the_median() -> None:
    assert middle(np.array([0.0, 0.0, 0.0, 4.0, 6.0])) == pytest.approx(5.0)


def test_every_row_has_a_median_of_its_own() -> None:
    assert health(np.array([[1.0, 1.0, 1.0], [1e-9, 1e-9, 1.0]])).tolist() == [[LEVEL] * 3, [LEVEL, LEVEL, STRONG]]


@pytest.mark.parametrize(("norms", "kinds"), [([0.0, 0.0], [ZERO, ZERO]), ([np.nan, np.inf], [STRONG, STRONG])])
def test_rows_without_a_usable_number_are_listed_too(norms: list[float], kinds: list[str]) -> None:
    assert health(np.array(norms)).tolist() == kinds
