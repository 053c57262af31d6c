"""The size of the gradient over gains and depths."""

import numpy as np
import pytest

from sims.simulations.gradients.gradient_floor import GAINS, GradientFloor


def test_b_01_there_is_no_floor() -> None:
    frame = GradientFloor(gain=-0.3).compute()
    assert frame.results["total"] == pytest.approx(7.97923e-4, rel=1e-5)
    assert frame.results["verdict"] == "vanishing"
    below = GAINS[frame["residual"] < 1]
    assert below.min() == pytest.approx(-1.99)
    assert below.max() == pytest.approx(-0.01)


def test_b_01_marks_at_minus_one_and_minus_two() -> None:
    frame = GradientFloor(blocks=100).compute()
    at = {gain: frame["residual"][np.argmin(abs(GAINS - gain))] for gain in (-2, -1, 0)}
    assert at[-1] < 1e-300
    assert at[-2] == pytest.approx(1)
    assert at[0] == pytest.approx(1)


def test_b_02_the_right_half_explodes() -> None:
    frame = GradientFloor(gain=0.3, blocks=100).compute()
    assert frame.results["total"] == pytest.approx(2.479e11, rel=1e-3)
    assert frame["residual_by_depth"][20] == pytest.approx(190.05, rel=1e-4)


@pytest.mark.parametrize(("gain", "word"), [(-1.0, "exactly 0"), (0.0, "moderate"), (-2.0, "moderate"), (1.0, "expl")])
def test_it_says_what_it_sees(gain: float, word: str) -> None:
    simulation = GradientFloor(gain=gain)
    assert word in simulation.describe(simulation.compute())


def test_mirrored_gains_have_the_same_size() -> None:
    frame = GradientFloor(gain=-0.5).compute()
    assert frame.results["mirror"] == -1.5
    assert GradientFloor(gain=-1.5).compute().results["size"] == frame.results["size"]
