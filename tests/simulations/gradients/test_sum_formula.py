"""The right and the wrong reading of a formula against torch's autograd and against the measured derivative."""

import numpy as np
import pytest

from sims.simulations.gradients import sum_formula
from sims.simulations.gradients.sum_formula import SumFormula


def test_b_06_the_right_rows() -> None:
    for start, value in ((0, 3325.2567300796509), (4, 656.84), (8, 129.746), (12, 25.6289), (16, 5.0625)):
        assert sum_formula.total(gain=0.5, blocks=20, start=start) == pytest.approx(value, rel=1e-4)
    assert sum_formula.total(gain=0.5, blocks=20) == pytest.approx(3325.2567300796509, rel=1e-12)
    assert sum_formula.total(gain=0.5, blocks=20, start=3) == pytest.approx(985.2612533569336, rel=1e-12)
    assert sum_formula.total(gain=0.5, blocks=20, formula="wrong") == pytest.approx(1.000001, abs=1e-6)


@pytest.mark.parametrize("gain", [-1.5, -0.3, 0.5, 1.0])
def test_the_measured_derivative_is_the_right_reading_and_torchs(gain: float) -> None:
    import torch

    gains = np.full(8, gain)
    slopes = sum_formula.measured(gains)
    assert slopes == pytest.approx(1 + sum_formula.rest(gains, "right"), rel=1e-6, abs=1e-9)
    x = torch.ones((), dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(sum_formula.through(gains, x), x)
    assert slopes[0] == pytest.approx(slope.item(), rel=1e-6, abs=1e-9)


def test_the_wrong_reading_is_wrong_except_over_one_block() -> None:
    right, wrong = (sum_formula.rest(np.full(5, 0.5), formula) for formula in ("right", "wrong"))
    assert right[-1] == wrong[-1]
    assert (abs(right[:-1] - wrong[:-1]) > 0.1).all()


@pytest.mark.parametrize("gain", [-1.5, -1.0, 0.0, 0.5])
@pytest.mark.parametrize("formula", ["right", "wrong"])
def test_it_says_whether_they_agree(gain: float, formula: str) -> None:
    simulation = SumFormula(gain=gain, formula=formula)
    words = simulation.describe(simulation.compute())
    agrees = formula == "right"
    if gain != 0:  # then both readings are 1
        assert ("That is what is measured" in words) == agrees
    assert "nan" not in words


@pytest.mark.parametrize("gain", [-1.5, -0.3, 0.5, 1.0])
def test_the_piles_of_all_paths_add_up_to_the_derivative(gain: float) -> None:
    frame = SumFormula(gain=gain, blocks=12).compute()
    assert frame["piles"].sum() == pytest.approx(frame.results["measured"], rel=1e-6, abs=1e-6)
    assert frame["paths"].sum() == 2**12


def test_large_values_are_written_with_a_power_of_ten() -> None:
    simulation = SumFormula(gain=1.0, blocks=40)
    assert "The measured value is 1.1 × 10¹²." in simulation.describe(simulation.compute())
