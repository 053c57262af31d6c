"""Gradients along an arc of inputs, against torch's autograd."""

import numpy as np
import pytest
import torch

from sims.instruments.gradients.neighbor_gradients import CONNECTIONS, Stack, arc, autocorrelation, gradients


def by_torch(stack: Stack, connection: str, points: np.ndarray) -> np.ndarray:
    x = torch.tensor(points, requires_grad=True)
    h = x
    for weights in torch.tensor(stack.weights):
        inside = h / h.square().mean(dim=1, keepdim=True).sqrt() if connection == "normalized" else h
        branch = torch.relu(inside @ weights.T)
        branch = branch / len(stack.weights) ** 0.5 if connection == "scaled" else branch
        h = branch if connection == "plain" else h + branch
    (gradient,) = torch.autograd.grad((h @ torch.tensor(stack.head)).sum(), x)
    return gradient.numpy()


@pytest.mark.parametrize("connection", CONNECTIONS)
def test_gradients_are_torchs(connection: str) -> None:
    generator = np.random.default_rng(0)
    points, _ = arc(np.array([0.0, 10.0, 45.0]), 12, generator)
    stack = Stack.drawn(7, 12, generator)
    np.testing.assert_allclose(gradients(stack, connection, points), by_torch(stack, connection, points), rtol=1e-9)


def test_an_unknown_connection_is_refused() -> None:
    generator = np.random.default_rng(0)
    with pytest.raises(ValueError, match="dense"):
        gradients(Stack.drawn(1, 4, generator), "dense", np.ones((1, 4)))


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
