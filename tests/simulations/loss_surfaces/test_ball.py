"""Trajectory and ball: true losses, shadows, and a ball that stays on the surface."""

import numpy as np
import pytest

from sims.comparisons.twin_networks import NAMES, exact
from sims.contract.frame import Frame
from sims.simulations.loss_surfaces.ball import ROLLS, Ball, Marble, downhill, random_share
from tests.instruments.surfaces.slices import torch_loss

QUICK = {"depth": 6, "training_steps": 100, "finest": 11}


@pytest.fixture(scope="module")
def simulation() -> Ball:
    return Ball(**QUICK)


@pytest.fixture(scope="module")
def state(simulation: Ball) -> object:
    return simulation.advance(simulation.start(), 10**6)


@pytest.fixture(scope="module")
def frame(simulation: Ball, state: object) -> Frame:
    return simulation.frame(state)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_true_losses_are_those_of_the_snapshots(name: str, state: object, frame: Frame) -> None:
    run, snapshots = state.runs[name], state.snapshots[name]  # type: ignore[attr-defined]
    expected = [torch_loss(run, weights.astype(float)) for weights in snapshots[::10]]
    np.testing.assert_allclose(frame[f"{name}_true"][::10], expected, rtol=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_the_shadow_is_another_network_and_the_end_is_the_same_one(name: str, frame: Frame) -> None:
    assert frame[f"{name}_below"][0] < 0.8 * frame[f"{name}_true"][0]
    assert frame[f"{name}_below"][-1] == pytest.approx(frame[f"{name}_true"][-1], rel=1e-2)


@pytest.mark.parametrize("name", NAMES)
def test_the_ball_rolls_downhill_on_the_surface(name: str, simulation: Ball, state: object, frame: Frame) -> None:
    ball = frame[f"{name}_ball"]
    assert ball.shape == (ROLLS + 1, 3)
    assert (np.diff(ball[:, 2]) <= 0).all()
    assert ball[-1, 2] < 0.5 * ball[0, 2]
    plane, points = simulation._plane(state, name)
    np.testing.assert_array_equal(ball[0, :2], points[0])
    np.testing.assert_allclose(plane.losses(ball[:, :2]), ball[:, 2], rtol=1e-3, atol=1e-6)


def test_the_trajectory_lies_inside_its_own_plane(frame: Frame) -> None:
    for name in NAMES:
        assert np.abs(frame[f"{name}_track"]).max() <= 0.81
        assert frame.results[f"{name}_explained"] > 0.75
        assert frame.results[f"{name}_random"] < 0.1


def test_on_a_random_plane_the_way_is_a_dot() -> None:
    simulation = Ball(**QUICK, plane="random")
    frame = simulation.frame(simulation.advance(simulation.start(), 100))
    for name in NAMES:
        assert np.abs(frame[f"{name}_track"]).max() < 0.1


def test_a_ball_in_the_lowest_place_stays_there() -> None:
    class Bowl:
        def loss(self, weights: np.ndarray) -> float:
            return float(weights @ weights)

        def loss_and_gradient(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
            return self.loss(weights), 2 * weights

    basis = np.eye(3)
    basis[0] = 0
    still = downhill(Marble(np.zeros((1, 3))), basis, Bowl())
    np.testing.assert_array_equal(still.way[-1], [0, 0, 0])
    rolling = Marble(np.array([[0.5, 0.5, 0.5]]))
    for _ in range(40):
        rolling = downhill(rolling, np.vstack([np.zeros(2), np.eye(2)]), Bowl())
    assert rolling.way[-1, 2] < 1e-4


def test_the_slope_of_the_plane_is_the_gradient_of_its_two_numbers(simulation: Ball, state: object) -> None:
    plane, points = simulation._plane(state, "plain")
    network, at = exact(state.runs["plain"], "batch"), points[3]  # type: ignore[attr-defined]
    slope = plane.basis[1:] @ network.loss_and_gradient(plane.basis[0] + at @ plane.basis[1:])[1]
    step = 1e-6
    for axis in range(2):
        way = step * np.eye(2)[axis]
        ends = [network.loss(plane.basis[0] + (at + move) @ plane.basis[1:]) for move in (way, -way)]
        assert slope[axis] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-4, abs=1e-7)


def test_w3_3_a_random_plane_in_ten_thousand_dimensions() -> None:
    """W3.3: √(2/10,000) = 0.014."""
    assert random_share(parameters=10_000) == pytest.approx(0.014142, abs=1e-6)
