"""The diagnosis follows its stated rule, and the three failures are three different things."""

import numpy as np
import pytest

from sims.instruments.gradients.gradient_ratio import diagnosis
from sims.simulations.depth.failures import CASES, Failures, first_to_last_gradient, training_error


@pytest.mark.parametrize(
    ("ratio", "error", "name"),
    [
        (1.0, 0.05, "fine"),
        (1e-9, 0.05, "fine"),
        (1e-9, 0.8, "vanished"),
        (0.0, 0.8, "vanished"),
        (float("nan"), 0.8, "vanished"),
        (1e5, 0.8, "exploded"),
        (float("inf"), 0.8, "exploded"),
        (1.0, 0.8, "degraded"),
        (0.1, 0.8, "degraded"),
        (10.0, 0.8, "degraded"),
        (0.01, 0.8, "tilted"),
        (50.0, 0.8, "tilted"),
    ],
)
def test_the_rule(ratio: float, error: float, name: str) -> None:
    assert diagnosis(ratio, error) == name


@pytest.mark.exhaustive
def test_ch0_degraded_with_level_bars() -> None:
    """A-04. He initialization: level gradients for every seed, an error that climbs with depth (medians)."""
    for depth in (20, 56, 100):
        assert first_to_last_gradient(initialization="he", depth=depth, statistic="lowest") > 0.1
        assert first_to_last_gradient(initialization="he", depth=depth, statistic="highest") < 10
    assert training_error(initialization="he", depth=56) > 5 * training_error(initialization="he", depth=20)
    assert training_error(initialization="he", depth=100) > training_error(initialization="he", depth=56)


@pytest.mark.exhaustive
def test_ch0_a_hundred_plain_layers_train_from_a_start_that_looks_linear() -> None:
    """A-15: the first seed; all five of the page stay below 12%."""
    frame = Failures(initialization="looks-linear", depth=100, seeds=1).compute()
    assert frame.results["training_error"] < 0.12


@pytest.mark.exhaustive
def test_ch0_vanished() -> None:
    assert first_to_last_gradient(initialization="default", depth=56) < 1e-15
    assert training_error(initialization="default", depth=56, statistic="lowest") > 0.5


@pytest.mark.exhaustive
def test_ch0_a_skip_alone_is_no_cure_and_a_skip_with_a_norm_is() -> None:
    """A-14: whether a skip pays at one depth depends on what stands beside it."""
    assert training_error(initialization="he", depth=56, skip="additive") > 0.5
    for norm in ("batch", "pre-layer"):
        assert training_error(initialization="he", depth=56, skip="additive", norm=norm) < 0.01


def test_an_exact_zero_stays_a_zero_in_the_frame() -> None:
    simulation = Failures(depth=100, initialization="default", seeds=1)
    frame = simulation.frame(simulation.start())
    assert np.isfinite(frame["weight gradient at start"]).all()
    assert frame.results["diagnosis"] == "not trained yet"


@pytest.mark.parametrize("name", CASES)
def test_every_failure_is_known_by_its_settings(name: str) -> None:
    assert Failures(depth=8, **CASES[name]).case() == name
    assert Failures(depth=8, **CASES[name] | {"skip": "additive"}).case() is None
