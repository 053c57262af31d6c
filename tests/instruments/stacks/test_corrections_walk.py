"""How much corrections agree, and the walk that they make."""

import numpy as np
import pytest

from sims.instruments.stacks.corrections_walk import agreement, correlation_through, distances, planar


@pytest.mark.parametrize(("rho", "variance"), [(0.0, 2.0), (0.1, 8.3), (0.5, 33.5), (1.0, 65.0)])
def test_f_05_the_variance_of_correlated_corrections(rho: float, variance: float) -> None:
    """F-05: drawn with that correlation, L = 64, v = 1, a factor of 1/√L: 1 + v + v(L − 1)ρ within 5%."""
    random, blocks, width = np.random.default_rng(0), 64, 20_000
    common, own = random.normal(size=width), random.normal(size=(blocks, width))
    corrections = (rho**0.5 * common + (1 - rho) ** 0.5 * own) / blocks**0.5
    stream = np.cumsum([random.normal(size=width), *corrections], axis=0)
    assert np.var(stream[-1]) == pytest.approx(variance, rel=0.05)
    actual = agreement(stream[:, None])
    assert actual.correlation == pytest.approx(rho, abs=0.01)
    assert actual.distances / actual.lengths.mean() == pytest.approx(distances(blocks, rho), rel=0.05, abs=0.02)


def test_independent_steps_wind_up_in_the_spiral_of_theodorus() -> None:
    places = planar(np.ones(17), distances(17, 0.0))
    assert np.hypot(*places.T) == pytest.approx(np.sqrt(np.arange(18)))
    turned = sum(np.arctan(1 / np.sqrt(step)) for step in range(1, 17))
    assert np.unwrap(np.arctan2(places[1:, 1], places[1:, 0]))[-1] == pytest.approx(turned)


def test_steps_that_agree_lead_straight_on() -> None:
    assert planar(np.ones(9), distances(9, 1.0)) == pytest.approx(np.array([[step, 0.0] for step in range(10)]))


def test_a_planar_walk_keeps_every_length_and_every_distance() -> None:
    actual = agreement(np.cumsum(np.random.default_rng(1).normal(size=(12, 5, 8)), axis=0))
    places = planar(actual.lengths, actual.distances)
    assert np.hypot(*np.diff(places, axis=0).T) == pytest.approx(actual.lengths)
    assert np.hypot(*places.T) == pytest.approx(actual.distances)


@pytest.mark.parametrize("rho", [0.0, 0.25, 1.0])
def test_the_curve_through_a_point_is_found(rho: float) -> None:
    assert correlation_through(40, distances(64, rho)[40]) == pytest.approx(rho)
    assert correlation_through(1, 0.3) == 0
