"""One block on the page: the numbers of the worked example, every moment in words, and the ellipses."""

import numpy as np
import pytest

from sims.simulations.shortcuts.dataflow import MOMENTS, Dataflow


def test_ch1_dataflow_is_the_worked_example() -> None:
    plain, residual = (Dataflow(wiring=wiring).compute().results for wiring in ("plain", "residual"))
    assert plain["cosine"] == pytest.approx(0.2002, abs=1e-4)
    assert residual["cosine"] == pytest.approx(0.9680, abs=1e-4)
    assert residual["share"] == pytest.approx(0.27918, abs=1e-4)
    assert (residual["stretch"], residual["squeeze"]) == pytest.approx((1.1781, 1.0781), abs=1e-4)


def test_ch1_strength_zero_copies_or_silences() -> None:
    frame = Dataflow(strength=0.0).compute()
    np.testing.assert_array_equal(frame["residual_output"], frame["input"])
    np.testing.assert_array_equal(frame["plain_output"], 0)


def test_b_01_a_branch_of_minus_the_identity_kills_the_gradient() -> None:
    frame = Dataflow(w11=-1.0, w12=0.0, w21=0.0, w22=-1.0, moment=7).compute()
    np.testing.assert_array_equal(frame["input_gradient"], 0)
    np.testing.assert_array_equal(frame["residual_circle"], 0)
    assert frame.results["floor"] == 0


def test_a_relu_end_never_lowers_a_number() -> None:
    linear, relu = (Dataflow(ending=ending, w11=-1.0).compute() for ending in ("linear", "relu"))
    assert (relu["residual_output"] >= relu["input"]).all()
    assert not (linear["residual_output"] >= linear["input"]).all()


@pytest.mark.parametrize("moment", range(len(MOMENTS)))
@pytest.mark.parametrize("wiring", ["plain", "residual"])
def test_every_moment_says_what_has_happened(moment: int, wiring: str) -> None:
    simulation = Dataflow(moment=moment, wiring=wiring)
    words = simulation.describe(simulation.compute())
    assert words.startswith(f"Moment {moment} of 7")
    assert ("copies" in words) == (moment == 5 and wiring == "residual")


def test_ellipses_reach_as_far_as_the_singular_values() -> None:
    frame = Dataflow().compute()
    lengths = np.linalg.norm(frame["residual_circle"], axis=0)
    assert lengths.max() == pytest.approx(frame.results["stretch"], rel=1e-3)
    assert lengths.min() == pytest.approx(frame.results["squeeze"], rel=1e-3)
