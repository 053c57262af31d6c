"""The readable transformer blocks against `torch.nn.TransformerEncoderLayer`, in both norm orders."""

import pytest
import torch
from torch import nn

from sims.pytorch.layers.blocks import (
    Attention,
    DeepNorm,
    FeedForward,
    LayerNorm,
    PeriNorm,
    PostNorm,
    PreNorm,
    Residual,
)

WIDTH, HEADS, HIDDEN = 16, 2, 32


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("around", [PreNorm, PostNorm])
def test_two_sublayers_are_torchs_encoder_layer(around, causal):
    torch.manual_seed(0)
    theirs = nn.TransformerEncoderLayer(
        WIDTH, HEADS, HIDDEN, dropout=0.0, batch_first=True, norm_first=around is PreNorm, dtype=torch.float64
    )
    attention, feed = Attention(WIDTH, HEADS, causal).double(), FeedForward(WIDTH, HIDDEN).double()
    copies = {
        attention.queries_keys_values: (theirs.self_attn.in_proj_weight, theirs.self_attn.in_proj_bias),
        attention.output: (theirs.self_attn.out_proj.weight, theirs.self_attn.out_proj.bias),
        feed[0]: (theirs.linear1.weight, theirs.linear1.bias),
        feed[2]: (theirs.linear2.weight, theirs.linear2.bias),
    }
    with torch.no_grad():
        for layer, (weight, bias) in copies.items():
            bias.normal_()
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
    ours = nn.Sequential(around(attention, WIDTH), around(feed, WIDTH))
    h = torch.randn(7, 5, WIDTH, dtype=torch.float64, requires_grad=True)
    probe = torch.randn(7, 5, WIDTH, dtype=torch.float64)
    mask = nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64) if causal else None
    outcome, reference = ours(h), theirs(h, src_mask=mask, is_causal=causal)
    torch.testing.assert_close(outcome, reference, rtol=0, atol=1e-14)
    slopes = [torch.autograd.grad((out * probe).sum(), h)[0] for out in (outcome, reference)]
    torch.testing.assert_close(*slopes, rtol=0, atol=1e-13)


def test_deep_norm_without_its_factor_is_post_norm_and_peri_norm_is_pre_norm_with_a_normalized_branch():
    torch.manual_seed(0)
    branch, h = FeedForward(WIDTH, HIDDEN).double(), torch.randn(7, 5, WIDTH, dtype=torch.float64)
    assert torch.equal(DeepNorm(branch, WIDTH, 1.0)(h), PostNorm(branch, WIDTH)(h))
    assert not torch.allclose(DeepNorm(branch, WIDTH, 2.0)(h), PostNorm(branch, WIDTH)(h))
    behind = nn.Sequential(branch, LayerNorm(WIDTH))
    assert torch.equal(PeriNorm(branch, WIDTH)(h), PreNorm(behind, WIDTH)(h))


@pytest.mark.parametrize("factor", [0.5, 0.125])
def test_a_factor_on_the_branch_is_a_factor_on_the_gradient_of_its_weights(factor: float) -> None:
    """For the same gradient behind the block. What passes the skip is not made smaller."""
    torch.manual_seed(0)
    branch, h = FeedForward(WIDTH, HIDDEN).double(), torch.randn(7, WIDTH, dtype=torch.float64, requires_grad=True)
    arriving = torch.randn(7, WIDTH, dtype=torch.float64)
    of_one, of_factor = (
        torch.autograd.grad(Residual(branch, scale)(h), [h, *branch.parameters()], arriving) for scale in (1.0, factor)
    )
    for full, scaled in zip(of_one[1:], of_factor[1:], strict=True):
        torch.testing.assert_close(scaled, factor * full, rtol=1e-12, atol=1e-15)
    torch.testing.assert_close(of_factor[0] - arriving, factor * (of_one[0] - arriving), rtol=1e-12, atol=1e-15)


def test_only_branches_that_start_small_keep_stream_and_gradient_in_size() -> None:
    """A goal of design. With branches as large as what they read, both double per block; with a tenth of that,
    over the root of the depth, both stay."""
    torch.manual_seed(0)
    sizes = {}
    for small in (True, False):
        blocks = 24
        stack = nn.Sequential(
            *(Residual(FeedForward(64, 64), 0.1 / blocks**0.5 if small else 1.0) for _ in range(blocks))
        )
        for layer in stack.modules():
            if isinstance(layer, nn.Linear):
                nn.init.kaiming_normal_(layer.weight)
        h = torch.randn(32, 64, requires_grad=True)
        outputs = stack(h)
        arriving = torch.randn(32, 64)
        (gradient,) = torch.autograd.grad(outputs, h, arriving)
        sizes[small] = [(outputs.norm() / h.norm()).item(), (gradient.norm() / arriving.norm()).item()]
    assert sizes[True] == pytest.approx([1, 1], abs=0.1)
    assert min(sizes[False]) > 2 ** (24 / 2)
