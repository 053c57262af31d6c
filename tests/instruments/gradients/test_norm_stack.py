"""The popular toy against PyTorch, and the numbers that made it famous (C-01)."""

import numpy as np
import pytest
import torch
from torch import nn

from sims.instruments.gradients import norm_stack
from sims.instruments.gradients.norm_stack import CLASSES, LOSSES, PLACEMENTS, POINTS, WIDTH


def theirs(seed, depth, placement, loss, final_norm, precision):
    """The same with torch's own generator, layers and automatic differentiation."""
    torch.manual_seed(seed)
    layers = [nn.Linear(WIDTH, WIDTH) for _ in range(depth)]
    inputs, direction, target = torch.randn(POINTS, WIDTH), torch.randn(POINTS, WIDTH), torch.randn(POINTS, WIDTH)
    head = nn.Linear(WIDTH, CLASSES)
    labels = (torch.rand(POINTS) * CLASSES).long()
    x = inputs.to(precision).requires_grad_()
    h, norm = x, nn.LayerNorm(WIDTH, elementwise_affine=False)
    for layer in layers:
        layer.to(precision)
        h = h + torch.relu(layer(norm(h))) if placement == "pre" else norm(h + torch.relu(layer(h)))
    h = norm(h) if final_norm else h
    value = {
        "sum": lambda: h.sum(),
        "projection": lambda: (h * direction.to(precision)).sum(),
        "squared error": lambda: (h - target.to(precision)).square().mean(),
        "cross-entropy": lambda: nn.functional.cross_entropy(head.to(precision)(h), labels),
    }[loss]()
    return torch.autograd.grad(value, x)[0].numpy()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("final_norm", [False, True])
def test_its_gradients_are_those_of_torch(loss, placement, final_norm):
    final_norm = final_norm and placement == "pre"
    ours = norm_stack.stack(7, 12, placement, final_norm, "float64").gradients(loss)[0]
    reference = theirs(7, 12, placement, loss, final_norm, torch.float64)
    np.testing.assert_allclose(ours, reference, rtol=2e-5, atol=2e-5 * np.abs(reference).max() + 1e-13)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("placement", PLACEMENTS)
def test_a_skip_carries_the_gradient_of_the_sum_and_the_branch_brings_the_rest(loss, placement):
    depth = 3
    stack = norm_stack.stack(3, depth, placement, False, "float64")
    gradients, skips = stack.routes(loss)
    parameters = norm_stack.draw(3, depth)
    norm = nn.LayerNorm(WIDTH, elementwise_affine=False)
    for block in range(depth):
        weight, bias = (torch.tensor(values[block]).double() for values in (parameters.weights, parameters.biases))
        x = torch.tensor(stack.streams[block]).requires_grad_()
        skipped = x.clone()
        branch = torch.relu((norm(x.detach()) if placement == "pre" else x.detach()) @ weight.T + bias)
        y = skipped + branch if placement == "pre" else norm(skipped + branch)
        (along,) = torch.autograd.grad(y, x, torch.tensor(gradients[block + 1]))
        np.testing.assert_allclose(
            skips[block], along.numpy(), rtol=1e-4, atol=1e-4 * np.abs(along.numpy()).max() + 1e-13
        )


def test_the_skip_of_pre_ln_changes_nothing_on_its_way():
    gradients, skips = norm_stack.stack(3, 6, "pre", True, "float64").routes("projection")
    assert all(np.array_equal(one, other) for one, other in zip(skips, gradients[1:], strict=True))


def test_c_01_the_printed_pre_ln_gradient_is_reproduced():
    gradient = norm_stack.stack(42, 20, "pre", False, "float32").gradients("sum")[0]
    assert np.linalg.norm(gradient) == pytest.approx(35.7888, abs=1e-3)
    assert np.linalg.norm(theirs(42, 20, "pre", "sum", False, torch.float32)) == pytest.approx(35.7888, abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_c_01_the_post_ln_gradient_of_a_sum_is_round_off(seed):
    single, double = (
        np.linalg.norm(norm_stack.stack(seed, 20, "post", False, precision).gradients("sum")[0])
        for precision in ("float32", "float64")
    )
    assert 1e-8 < single < 1e-5
    assert double < 1e-12


@pytest.mark.parametrize(("final_norm", "expected", "tolerance"), [(False, 1.47, 0.25), (True, 0.84, 0.15)])
def test_c_01_honest_ratios_are_near_one(final_norm, expected, tolerance):
    logs = []
    for seed in range(20):
        pre, post = (
            np.linalg.norm(norm_stack.stack(seed, 20, placement, final_norm, "float64").gradients("projection")[0])
            for placement in PLACEMENTS
        )
        logs.append(np.log(pre / post))
    assert np.exp(np.mean(logs)) == pytest.approx(expected, abs=tolerance)
