"""What the three starts do to a block, on torch's own modules."""

import torch

from sims.pytorch.layers.branch_ends import multiply_ends, shrink_ends, zero_ends
from sims.pytorch.layers.transformer_blocks import PreNormBlock

ENDS = ("attention.output", "mlp.narrow")


def block() -> PreNormBlock:
    torch.manual_seed(0)
    return PreNormBlock(16, 2, 32, causal=True)


def test_zero_times_a_factor_is_zero() -> None:
    layer = block()
    zero_ends(layer, *ENDS)
    shrink_ends(layer, 0.125, *ENDS)
    assert not any(layer.get_submodule(name).weight.any() for name in ENDS)


def test_g_17_at_the_first_step_only_the_last_layer_of_a_zero_branch_has_a_gradient() -> None:
    layer = block()
    zero_ends(layer, *ENDS)
    layer(torch.randn(2, 5, 16)).pow(3).sum().backward()
    assert not layer.mlp.widen.weight.grad.any()
    assert layer.mlp.narrow.weight.grad.any()
    assert not layer.attention.queries_keys_values.weight.grad.any()
    assert layer.attention.output.weight.grad.any()


def test_a_small_start_is_a_factor_at_step_0_and_not_after_a_step_of_adam() -> None:
    x = torch.randn(4, 5, 16)
    small, multiplied = block(), block()
    shrink_ends(small, 0.125, *ENDS)
    multiply_ends(multiplied, 0.125, *ENDS)
    torch.testing.assert_close(small(x), multiplied(x), rtol=0, atol=1e-6)
    for model in (small, multiplied):
        optimizer = torch.optim.Adam(model.parameters(), 1e-3)
        model(x).pow(3).sum().backward()
        optimizer.step()
    assert (small(x) - multiplied(x)).detach().abs().max().item() > 1e-3
