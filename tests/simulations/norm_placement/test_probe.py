"""The famous ratio appears, and evaporates (C-01)."""

import numpy as np
import pytest

from sims.instruments.gradients.norm_stack import stack
from sims.simulations.norm_placement import probe
from sims.simulations.norm_placement.probe import SEEDS, Probe


def test_c_01_the_ratio_of_a_constant_loss_moves_by_nine_orders_with_the_precision():
    single, double = (Probe(precision=precision).compute().results["ratio"] for precision in ("float32", "float64"))
    assert 1e7 < single < 1e10
    assert double > 1e6 * single


@pytest.mark.parametrize("loss", ["projection", "cross-entropy", "squared error"])
def test_c_01_an_honest_ratio_does_not_move(loss):
    single, double = (
        Probe(loss=loss, precision=precision).compute().results["ratio"] for precision in ("float32", "float64")
    )
    assert single == pytest.approx(double, rel=1e-3)
    assert 0.1 < double < 30


def test_c_01_the_final_norm_makes_the_sum_of_pre_ln_constant_too():
    frame = Probe(final_norm=True, precision="float64").compute()
    assert frame.results["pre"] < 1e-11
    assert "Pre-LN and Post-LN is exactly 0" in Probe(final_norm=True).describe(frame)


@pytest.mark.parametrize("loss", ["projection", "cross-entropy"])
def test_c_01_with_the_final_norm_post_ln_has_the_larger_gradient_when_deep(loss):
    assert probe.ratio(loss=loss, depth=50, final_norm=True) < 0.7
    assert probe.ratio(loss=loss, depth=50) > 1


def growth(placement: str, depth: int) -> float:
    """The norm of the gradient at the input over that at the output, random projection: geometric mean of 20 seeds."""
    norms = [
        np.linalg.norm(stack(seed, depth, placement, False, "float64").gradients("projection"), axis=(1, 2))
        for seed in SEEDS
    ]
    return float(np.exp(np.mean([np.log(norm[0] / norm[-1]) for norm in norms])))


@pytest.mark.parametrize("placement", ["pre", "post"])
def test_c_13_neither_order_attenuates_in_the_backward_pass(placement):
    """C-13: five or fifty blocks, what arrives is no smaller than what was sent."""
    assert 1 < growth(placement, 5) < growth(placement, 50) < 6


def test_the_sentence_names_the_larger_gradient():
    simulation = Probe(loss="projection", final_norm=True, depth=50, precision="float64")
    frame = simulation.compute()
    larger = "Pre-LN" if frame.results["pre"] > frame.results["post"] else "Post-LN"
    assert f"{larger}'s gradient is the larger one" in simulation.describe(frame)


def test_every_setting_has_a_finite_picture():
    for depth in (5, 50):
        for seed in (0, 9999):
            frame = Probe(depth=depth, seed=seed).compute()
            assert np.isfinite(frame["pre_stream"]).all()
            assert len(frame["post_stream"]) == depth + 1


def test_c_01_the_famous_ratio_moves_with_the_precision():
    """C-01: by eight to ten powers of ten, however the processor adds."""
    assert 8 < probe.precision_orders() < 10
