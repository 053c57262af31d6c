"""Depth as time: blocks against torch, the solution against SciPy, and one network at a time against all together."""

import numpy as np
import pytest
import torch
from scipy.integrate import solve_ivp

from sims.instruments.stacks.continuous_depth import STRENGTH, curve, distance, ends, ring, solution, streams, weights


def test_a_stream_is_torchs() -> None:
    x = torch.tensor(ring(5))
    for matrix in torch.tensor(weights("independent", 7, 3)):
        x = x + 7**-0.5 * torch.tanh(torch.nn.functional.linear(x, matrix))
    np.testing.assert_allclose(streams("independent", 0.5, 7, 3, ring(5))[-1], x.numpy(), rtol=1e-12)


def test_all_depths_together_are_each_alone() -> None:
    together = ends("smooth", 1.0, (4, 9, 2), 1, ring(6))
    for blocks, actual in zip((4, 9, 2), together, strict=True):
        np.testing.assert_allclose(actual, streams("smooth", 1.0, blocks, 1, ring(6))[-1], rtol=1e-12)


def test_the_solution_is_scipy_s() -> None:
    start = ring(3)

    def slope(time: float, x: np.ndarray) -> np.ndarray:
        return np.tanh(x.reshape(3, 2) @ curve(2, np.array([time]))[0].T).ravel()

    theirs = solve_ivp(slope, (0, 1), start.ravel(), rtol=1e-11, atol=1e-12).y[:, -1].reshape(3, 2)
    np.testing.assert_allclose(solution(2, start)[-1], theirs, atol=1e-8)


def test_weights_are_smooth_or_independent_and_of_one_size() -> None:
    smooth, rough = (weights(kind, 400, 0) for kind in ("smooth", "independent"))
    assert np.abs(np.diff(smooth, axis=0)).max() < 0.1
    assert rough.std() == pytest.approx(STRENGTH, rel=0.1)
    assert np.corrcoef(rough[:-1].ravel(), rough[1:].ravel())[0, 1] == pytest.approx(0, abs=0.1)
    with pytest.raises(ValueError, match="tied"):
        weights("tied", 4, 0)


def test_a_distance_is_a_root_mean_square_over_points() -> None:
    assert distance(np.array([[3.0, 4.0], [0.0, 0.0]]), np.zeros((2, 2))) == pytest.approx(np.sqrt(12.5))
