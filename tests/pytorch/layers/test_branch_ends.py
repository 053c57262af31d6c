"""What the three starts do to a block, on torch's own modules."""

import io

import pytest
import torch

from sims.pytorch.layers.branch_ends import multiply_ends, normal_start, shrink_ends, zero_ends
from sims.pytorch.layers.transformer_blocks import LlamaBlock, PreNormBlock

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


def test_a_permanent_factor_is_in_the_state_dict_and_in_a_saved_block() -> None:
    multiplied, x = block(), torch.randn(2, 5, 16)
    multiply_ends(multiplied, 0.125, *ENDS)
    file = io.BytesIO()
    torch.save(multiplied, file)
    file.seek(0)
    restored = torch.load(file, weights_only=False)
    assert torch.equal(restored(x), multiplied(x))
    with pytest.raises(RuntimeError, match=r"attention\.output\.factor"):
        block().load_state_dict(multiplied.state_dict())
    other = block()
    multiply_ends(other, 1.0, *ENDS)
    other.load_state_dict(multiplied.state_dict())
    assert torch.equal(other(x), multiplied(x))
    assert multiplied.bfloat16()(x.bfloat16()).dtype == torch.bfloat16


def test_layers_without_biases_start_as_gpt_2_s_do() -> None:
    llama = LlamaBlock(64, 4, 2, 128, causal=True)
    normal_start(llama)
    assert llama.mlp.gate.weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_an_unknown_end_is_refused() -> None:
    for change in (zero_ends, lambda b, end: shrink_ends(b, 0.5, end), lambda b, end: multiply_ends(b, 0.5, end)):
        with pytest.raises(AttributeError, match="nothing"):
            change(block(), "nothing")
