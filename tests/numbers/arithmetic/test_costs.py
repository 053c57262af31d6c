"""The arithmetic of costs against the values that were worked out by hand."""

import pytest

from sims.numbers.arithmetic.costs import (
    live,
    relative_update,
    work_of_a_product,
    work_of_an_addition,
)


def test_wd_2_the_update_of_unit_branches():
    assert relative_update(24) == pytest.approx(0.2)
    assert relative_update(96) == pytest.approx(0.1015, abs=5e-5)


@pytest.mark.parametrize(("depth", "alive"), [(64, 15), (144, 23)])
def test_wd_4_about_twice_the_root_of_the_depth_stays_alive(depth, alive):
    best = min(range(1, depth + 1), key=lambda segment: live(depth, segment))
    assert live(depth, best) == alive
    # Counted: one input for each segment, and those of the last one, the first of which is its checkpoint.
    checkpoints, inside = set(range(0, depth, best)), set(range(depth - best, depth))
    assert len(checkpoints | inside) == alive
    assert best**2 == depth


def test_an_addition_moves_bytes_and_a_product_works_on_them():
    assert work_of_an_addition(4) == pytest.approx(1 / 12)
    assert work_of_a_product(1024, 1024, 4) == pytest.approx(1024 / 6)
    assert work_of_a_product(4096, 1) < 2
