"""A reversible stack before and after training: it learns, its branches grow, and so does the error on the way back."""

import numpy as np
import pytest

from sims.instruments.training.trained_coupling import STRENGTH, before_and_after


@pytest.mark.exhaustive
def test_training_makes_branches_stronger_and_the_way_back_worse() -> None:
    before, after = before_and_after(0, steps=60)
    assert abs(before.loss - np.log(10)) < 0.5
    assert after.loss < 0.5 * before.loss
    assert abs(before.strength - STRENGTH) < 0.05
    assert after.strength > before.strength
    for precision in ("float16", "float32", "float64"):
        assert after.errors[precision] > before.errors[precision]
    assert before.errors["float64"] < 1e-14
    assert before.errors["float64"] < before.errors["float32"] < before.errors["float16"] < 0.01


def test_a_seed_gives_the_same_again() -> None:
    assert before_and_after(1, steps=2) == before_and_after(1, steps=2)
