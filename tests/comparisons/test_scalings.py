"""The recipes' constants, as their papers have them."""

import pytest

from sims.comparisons.scalings import SCALINGS, fixup_factor


@pytest.mark.parametrize(("branches", "layers", "factor"), [(100, 2, 0.1), (256, 3, 0.25), (50, 2, 50**-0.5)])
def test_fixups_factor_is_the_papers(branches: int, layers: int, factor: float) -> None:
    assert fixup_factor(branches, layers) == pytest.approx(factor, rel=1e-12)


def test_a_branch_of_one_layer_has_no_fixup() -> None:
    with pytest.raises(ValueError, match="fewer than two"):
        fixup_factor(10, 1)


TABLE = {
    6: (1.861, 0.380),
    12: (2.213, 0.319),
    24: (2.632, 0.269),
    48: (3.130, 0.226),
    96: (3.722, 0.190),
    500: (5.623, 0.126),
    1000: (6.687, 0.106),
}


@pytest.mark.parametrize("layers", TABLE)
def test_deep_norms_factors_are_those_of_its_table(layers: int) -> None:
    rules = SCALINGS["deep"].rules(2 * layers)
    assert (rules.skip, rules.first, rules.last) == pytest.approx((*TABLE[layers], TABLE[layers][1]), abs=6e-4)


def test_f_10_the_inversion_has_the_inverse_of_both() -> None:
    """F-10: 0.269 and 5.264 at 96 layers."""
    rules = SCALINGS["inverted"].rules(192)
    assert (rules.branch, rules.before) == pytest.approx((0.2687, 5.264), abs=1e-3)
