"""Gradients along an arc of inputs, against torch's autograd."""

import numpy as np
import pytest
import torch

from sims.instruments.gradients.neighbor_gradients import (
    BRANCHES,
    CONNECTIONS,
    Stack,
    arc,
    autocorrelation,
    forward,
    gradients,
)


def by_torch(stack: Stack, connection: str, points: np.ndarray, branch: str) -> np.ndarray:
    x = torch.tensor(points, requires_grad=True)
    h = x
    for weights, second in zip(torch.tensor(stack.weights), torch.tensor(stack.second), strict=True):
        inside = h / h.square().mean(dim=1, keepdim=True).sqrt() if connection == "normalized" else h
        ends = {
            "relu": lambda x, w, _: torch.relu(x @ w.T),
            "linear": lambda x, w, _: torch.relu(x) @ w.T,
            "two-layer": lambda x, w, v: torch.relu(x @ w.T) @ v.T,
        }
        added = ends[branch](inside, weights, second)
        added = added / len(stack.weights) ** 0.5 if connection == "scaled" else added
        h = added if connection == "plain" else h + added
    (gradient,) = torch.autograd.grad((h @ torch.tensor(stack.head)).sum(), x)
    return gradient.numpy()


@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("connection", CONNECTIONS)
def test_gradients_are_torchs(connection: str, branch: str) -> None:
    generator = np.random.default_rng(0)
    points, _ = arc(np.array([0.0, 10.0, 45.0]), 12, generator)
    stack = Stack.drawn(7, 12, generator)
    expected = by_torch(stack, connection, points, branch)
    np.testing.assert_allclose(gradients(stack, connection, points, branch), expected, rtol=1e-9)


@pytest.mark.parametrize("branch", BRANCHES)
def test_every_branch_is_about_as_strong_as_what_it_gets(branch: str) -> None:
    generator = np.random.default_rng(0)
    sizes = []
    for _ in range(100):
        points, _ = arc(np.array([0.0]), 64, generator)
        added = forward(Stack.drawn(1, 64, generator), "residual", points, branch)[0] - points
        sizes.append(np.square(added).mean())
    assert np.mean(sizes) == pytest.approx(1, rel=0.1)


def test_an_unknown_connection_or_branch_is_refused() -> None:
    generator = np.random.default_rng(0)
    stack = Stack.drawn(1, 4, generator)
    with pytest.raises(ValueError, match="dense"):
        gradients(stack, "dense", np.ones((1, 4)))
    with pytest.raises(ValueError, match="conv"):
        gradients(stack, "plain", np.ones((1, 4)), "conv")


def test_inputs_lie_at_their_angles_and_directions_touch_the_arc() -> None:
    points, along = arc(np.array([0.0, 30.0, 90.0]), 16, np.random.default_rng(1))
    cosines = points @ points[0] / 16
    np.testing.assert_allclose(cosines, np.cos(np.radians([0, 30, 90])), atol=1e-12)
    np.testing.assert_allclose((points * along).sum(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose((along**2).sum(axis=1), 16)


def test_likeness_is_the_mean_cosine_of_pairs() -> None:
    rows = np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0], [0.0, 0.0]])
    half = np.sqrt(0.5)
    np.testing.assert_allclose(autocorrelation(rows, 3), [0.75, (half + half + 0) / 3, 0])
