"""The block and the stack that are printed, against torch's autograd."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from sims.instruments.hand_derived.mlp_by_hand import EPSILON, Stack

WEIGHTS = ("gain", "bias", "a", "b")


@pytest.mark.parametrize("blocks", [1, 5])
def test_every_gradient_of_the_stack_is_autograds(blocks):
    rng = np.random.default_rng(1)
    stack, x, dy = Stack(blocks, 6, 12, seed=2), rng.normal(size=(7, 6)), rng.normal(size=(7, 6))
    for block in stack.blocks:
        block.gain, block.bias = 1 + 0.3 * rng.normal(size=6), rng.normal(size=6)
    leaves = [
        {name: torch.tensor(getattr(block, name), requires_grad=True) for name in WEIGHTS} for block in stack.blocks
    ]
    start = stream = torch.tensor(x, requires_grad=True)
    for w in leaves:
        normed = functional.layer_norm(stream, (6,), w["gain"], w["bias"], eps=EPSILON)
        stream = stream + functional.gelu(normed @ w["a"], approximate="tanh") @ w["b"]
    np.testing.assert_allclose(stack.forward(x), stream.detach().numpy(), rtol=1e-10)
    stream.backward(torch.tensor(dy))
    np.testing.assert_allclose(stack.backward(dy), start.grad.numpy(), rtol=1e-9, atol=1e-11)
    for block, w in zip(stack.blocks, leaves, strict=True):
        actual = {"gain": block.dgain, "bias": block.dbias, "a": block.da, "b": block.db}
        for name in WEIGHTS:
            np.testing.assert_allclose(actual[name], w[name].grad.numpy(), rtol=1e-8, atol=1e-10)


def test_the_way_back_leaves_the_upstream_gradient_as_it_was():
    rng = np.random.default_rng(1)
    stack, dy = Stack(2, 6, 12), rng.normal(size=(7, 6))
    before = dy.copy()
    stack.forward(rng.normal(size=(7, 6)))
    stack.backward(dy)
    np.testing.assert_array_equal(dy, before)


def test_c_18_a_layer_norm_takes_its_statistics_from_one_sample():
    rng = np.random.default_rng(1)
    stack, x = Stack(1, 6, 12), rng.normal(size=(7, 6))
    whole = stack.forward(x)
    np.testing.assert_allclose(stack.forward(x[:1]), whole[:1], rtol=1e-12)
