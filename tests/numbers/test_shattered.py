"""Gradients at neighboring inputs, held against autograd."""

import numpy as np
import pytest
import torch

from sims.numbers.shattered import CONNECTIONS, WIDTH, gradients, likeness


@pytest.mark.parametrize("connection", CONNECTIONS)
def test_the_gradients_are_those_of_autograd(connection: str) -> None:
    points = np.random.default_rng(1).normal(size=(3, WIDTH))
    drawn = np.random.default_rng(0)
    weights = [drawn.normal(0, np.sqrt(2 / WIDTH), (WIDTH, WIDTH)) for _ in range(4)]
    direction = drawn.normal(size=WIDTH)
    h = x = torch.tensor(points, requires_grad=True)
    for each in weights:
        inside = h / h.square().mean(dim=1, keepdim=True).sqrt() if connection == "normalized" else h
        branch = torch.relu(inside @ torch.tensor(each).T)
        h = branch if connection == "plain" else h + branch
    (h @ torch.tensor(direction)).sum().backward()
    assert x.grad is not None
    found = gradients(connection, 4, points, np.random.default_rng(0))
    np.testing.assert_allclose(found, x.grad.numpy(), rtol=0, atol=1e-10 * np.abs(found).max())


def test_an_unknown_connection_is_refused() -> None:
    with pytest.raises(ValueError, match="dense"):
        gradients("dense", 2, np.ones((1, WIDTH)), np.random.default_rng(0))


def test_b_16_plain_gradients_lose_their_resemblance_with_depth_and_those_with_skips_keep_it() -> None:
    plain = [float(likeness(connection="plain", depth=depth)) for depth in (5, 20, 50)]
    assert plain[0] > 0.7 > plain[1] > plain[2] + 0.1
    assert plain[2] < 0.35
    for connection in ("residual", "normalized"):
        assert float(likeness(connection=connection, depth=50)) > 0.85
    assert likeness(connection="plain", depth=5, degrees=0) == pytest.approx(1)
