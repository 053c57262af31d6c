"""One block, forward and backward, against PyTorch for random numbers of every kind."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

from sims.instruments.hand_derived.one_block import ENDINGS, Block, cosine, ratio, run

numbers = some.floats(-3, 3, allow_subnormal=False).map(lambda value: round(value, 3))


@settings(deadline=None, max_examples=40)
@given(
    weights=arrays(float, (2, 2), elements=numbers),
    x=arrays(float, 2, elements=numbers),
    back=arrays(float, 2, elements=numbers),
    skip=some.booleans(),
    ending=some.sampled_from(ENDINGS),
    strength=some.floats(0, 4),
)
def test_every_number_is_that_of_torch(weights, x, back, skip, ending, strength):
    ours = run(Block(weights, skip, ending, strength), x, back)
    w, inputs = (torch.tensor(array, requires_grad=True) for array in (weights, x))
    sums = w @ inputs
    sums.retain_grad()
    ended = torch.relu(sums) if ending == "relu" else sums * 1
    ended.retain_grad()
    output = strength * ended + (inputs if skip else 0)
    output.backward(torch.tensor(back))
    pairs = [
        (ours.sums, sums.detach()),
        (ours.ended, ended.detach()),
        (ours.output, output.detach()),
        (ours.ended_gradient, ended.grad),
        (ours.sums_gradient, sums.grad),
        (ours.weights_gradient, w.grad),
        (ours.input_gradient, inputs.grad),
    ]
    for mine, theirs in pairs:
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
    np.testing.assert_allclose(ours.products.sum(axis=1), ours.sums, atol=1e-12)
    np.testing.assert_allclose(ours.jacobian.T @ back, ours.input_gradient, atol=1e-12)


def test_directions_and_ratios_of_nothing_are_zero():
    assert cosine(np.zeros(2), np.ones(2)) == 0
    assert ratio(1.0, 0.0) == 0
    assert ratio(1.0, 4.0) == 0.25
