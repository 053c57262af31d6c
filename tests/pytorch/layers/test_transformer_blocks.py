"""The blocks that readers copy, against torch's own layers and a trained GPT that somebody else published."""

import base64
import json
import os
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from sims.pytorch.layers.transformer_blocks import (
    Attention,
    DeepNormBlock,
    GroupedQueryAttention,
    LlamaBlock,
    ParallelBlock,
    PeriNormBlock,
    PostNormBlock,
    PreNormBlock,
    SwiGLU,
    rotate,
)

WIDTH, HEADS, HIDDEN, TOKENS = 16, 2, 32, 5
PEERS = os.environ.get("SKIP_PEERS", "")
"""Folder with the files of others that are not part of this project; what needs them is skipped without it."""


def tokens(seed: int = 0) -> Tensor:
    return torch.randn(3, TOKENS, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
def test_both_orders_are_torchs_encoder_layer(kind: type[nn.Module], causal: bool) -> None:
    torch.manual_seed(0)
    activation = nn.GELU(approximate="tanh") if kind is PreNormBlock else nn.ReLU()
    theirs = nn.TransformerEncoderLayer(
        WIDTH,
        HEADS,
        HIDDEN,
        dropout=0.0,
        batch_first=True,
        norm_first=kind is PreNormBlock,
        dtype=torch.float64,
        activation=activation,
    )
    ours = kind(width=WIDTH, heads=HEADS, hidden=HIDDEN, causal=causal).double()
    copies = {
        "attention.queries_keys_values": (theirs.self_attn.in_proj_weight, theirs.self_attn.in_proj_bias),
        "attention.output": (theirs.self_attn.out_proj.weight, theirs.self_attn.out_proj.bias),
        "mlp.widen": (theirs.linear1.weight, theirs.linear1.bias),
        "mlp.narrow": (theirs.linear2.weight, theirs.linear2.bias),
        "norm1": (theirs.norm1.weight, theirs.norm1.bias),
        "norm2": (theirs.norm2.weight, theirs.norm2.bias),
    }
    with torch.no_grad():
        for name, parameters in copies.items():
            for mine, other in zip(ours.get_submodule(name).parameters(), parameters, strict=True):
                other.normal_(0, 0.3)
                mine.copy_(other)
    x = tokens().requires_grad_()
    mask = nn.Transformer.generate_square_subsequent_mask(TOKENS, dtype=torch.float64) if causal else None
    outcome, reference = ours(x), theirs(x, src_mask=mask, is_causal=causal)
    torch.testing.assert_close(outcome, reference, rtol=0, atol=1e-13)
    slopes = [torch.autograd.grad((out * tokens(1)).sum(), x)[0] for out in (outcome, reference)]
    torch.testing.assert_close(*slopes, rtol=0, atol=1e-12)


def test_a_larger_base_turns_all_but_the_first_pair_more_slowly() -> None:
    """The first pair turns by one radian per position, the last of four by base^(−¾)."""
    x = torch.tensor([1.0, 0.0] * 4, dtype=torch.float64).expand(1, 1, 2, 8)
    for base in (10_000.0, 500_000.0):
        turned = rotate(x, base)[0, 0, 1]
        angles = torch.atan2(turned[1::2], turned[0::2])
        torch.testing.assert_close(angles, base ** -torch.tensor([0, 0.25, 0.5, 0.75], dtype=torch.float64))


def test_rotation_is_torchs_complex_multiplication_and_depends_on_distance_alone() -> None:
    q, k = (torch.randn(8, dtype=torch.float64) for _ in range(2))
    x = torch.randn(2, 3, 7, 8, dtype=torch.float64)
    angles = torch.arange(7)[:, None] * 10_000.0 ** (-torch.arange(0, 8, 2, dtype=torch.float64) / 8)
    turned = torch.view_as_complex(x.unflatten(-1, (-1, 2))) * torch.polar(torch.ones_like(angles), angles)
    torch.testing.assert_close(rotate(x), torch.view_as_real(turned).flatten(-2), rtol=0, atol=1e-12)
    scores = rotate(q.expand(1, 1, 7, 8))[0, 0] @ rotate(k.expand(1, 1, 7, 8))[0, 0].T
    for distance in range(-6, 7):
        torch.testing.assert_close(scores.diagonal(distance), scores.diagonal(distance)[:1].expand(7 - abs(distance)))


@pytest.mark.parametrize("width", [64, 128])
def test_positions_stay_apart_in_bfloat16(width: int) -> None:
    x = torch.randn(width, generator=torch.Generator().manual_seed(0)).bfloat16().expand(1, 1, 2048, width)
    turned, precise = rotate(x), rotate(x.double())
    assert turned.dtype == torch.bfloat16
    assert not torch.equal(turned[..., 1000, :], turned[..., 1001, :])
    for position in (100, 257, 1000, 2000, 2047):
        error = (turned[..., position, :].double() - precise[..., position, :]).norm() / x[0, 0, 0].double().norm()
        assert error < 0.004, position  # the rounding of the result


@pytest.mark.parametrize("key_heads", [1, 2, 4])
def test_grouped_queries_are_attention_with_repeated_keys(key_heads: int) -> None:
    torch.manual_seed(1)
    grouped = GroupedQueryAttention(WIDTH, 4, key_heads, causal=True).double()
    x = tokens()
    q, k, v = (
        layer(x).unflatten(-1, (-1, WIDTH // 4)).transpose(1, 2)
        for layer in (grouped.queries, grouped.keys, grouped.values)
    )
    k, v = (heads.repeat_interleave(4 // key_heads, dim=1) for heads in (rotate(k), v))
    mixed = scaled_dot_product_attention(rotate(q), k, v, is_causal=True)
    torch.testing.assert_close(grouped(x), grouped.output(mixed.transpose(1, 2).flatten(2)), rtol=0, atol=1e-13)


def test_llama_is_rms_norm_and_the_formula_of_swiglu() -> None:
    torch.manual_seed(2)
    block, x = LlamaBlock(WIDTH, 4, 2, HIDDEN, causal=True).double(), tokens()
    rms = x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()
    torch.testing.assert_close(block.norm1(x), rms, rtol=0, atol=1e-13)
    mlp: SwiGLU = block.mlp
    gate, up, down = (layer.weight for layer in (mlp.gate, mlp.up, mlp.down))
    gated = (x @ gate.T) * torch.sigmoid(x @ gate.T) * (x @ up.T) @ down.T
    torch.testing.assert_close(mlp(x), gated, rtol=0, atol=1e-13)
    middle = x + block.attention(rms)
    torch.testing.assert_close(block(x), middle + mlp(block.norm2(middle)), rtol=0, atol=1e-13)


@pytest.mark.parametrize("blocks", [1, 12])
def test_f_10_deepnorm_scales_the_skip_up_and_the_start_down(blocks: int) -> None:
    torch.manual_seed(3)
    width = 64
    block, x = DeepNormBlock(width, 4, 256, causal=False, blocks=blocks), torch.randn(2, 5, width)
    assert block.alpha == pytest.approx((2 * blocks) ** 0.25)
    middle = block.norm1(block.alpha * x + block.attention(x))
    torch.testing.assert_close(block(x), block.norm2(block.alpha * middle + block.mlp(middle)))
    q, _, v = block.attention.queries_keys_values.weight.chunk(3)
    assert (v.detach().std() / q.detach().std()).item() == pytest.approx((8 * blocks) ** -0.25, rel=0.05)
    assert block.mlp.widen.weight.detach().std().item() == pytest.approx(
        (8 * blocks) ** -0.25 * (2 / 320) ** 0.5, rel=0.05
    )


def test_a_parallel_block_has_one_sum() -> None:
    block, x = ParallelBlock(WIDTH, HEADS, HIDDEN, causal=True).double(), tokens()
    inside = block.norm(x)
    torch.testing.assert_close(block(x) - x, block.attention(inside) + block.mlp(inside), rtol=0, atol=1e-13)


def test_a_norm_closes_each_branch_of_peri_ln() -> None:
    block, x = PeriNormBlock(WIDTH, HEADS, HIDDEN, causal=True).double(), tokens()
    first = block.norm2(block.attention(block.norm1(x)))
    torch.testing.assert_close(first.square().mean(-1), torch.ones(3, TOKENS, dtype=torch.float64), rtol=1e-3, atol=0)
    torch.testing.assert_close(block(x), x + first + block.norm4(block.mlp(block.norm3(x + first))))


def test_without_the_mask_the_first_token_sees_the_last() -> None:
    x = tokens().requires_grad_()
    for causal in (False, True):
        (slope,) = torch.autograd.grad(Attention(WIDTH, HEADS, causal).double()(x)[:, 0].sum(), x)
        assert bool((slope[:, 1:] == 0).all()) is causal


def tensors(path: Path) -> dict[str, Tensor]:
    """Arrays of 32-bit numbers, written as base64 under their names."""
    entries = json.loads(path.read_text())
    return {
        name: torch.from_numpy(np.frombuffer(base64.b64decode(entry["data"]), "<f4").copy()).reshape(entry["shape"])
        for name, entry in entries.items()
        if isinstance(entry, dict) and entry.get("dtype") == "torch.float32"
    }


@pytest.mark.skipif(not PEERS, reason="SKIP_PEERS names no folder with gpt-nano/, the trained GPT of bbycroft/llm-viz")
def test_the_block_of_gpt_2_computes_what_a_trained_gpt_computed_elsewhere() -> None:
    weights = tensors(Path(PEERS) / "gpt-nano" / "gpt-nano-sort-model.json")
    partials = tensors(Path(PEERS) / "gpt-nano" / "gpt-nano-sort-t0-partials.json")
    block = PreNormBlock(width=48, heads=3, hidden=192, causal=True)
    theirs = {
        "norm1": "ln_1",
        "attention.queries_keys_values": "attn.c_attn",
        "attention.output": "attn.c_proj",
        "norm2": "ln_2",
        "mlp.widen": "mlp.c_fc",
        "mlp.narrow": "mlp.c_proj",
    }
    with torch.no_grad():
        for ours, other in theirs.items():
            for name, parameter in block.get_submodule(ours).named_parameters():
                parameter.copy_(weights[f"transformer.h.0.{other}.{name}"])
        x = partials["x"]
        wide = block.mlp.widen(block.norm2(x + block.attention(block.norm1(x))))
        for ours_now, name in (
            (block.norm1(x), "ln1"),
            (x + block.attention(block.norm1(x)), "attnResid"),
            (block.mlp.activation(wide), "gelu"),
            (block(x), "mlpResid"),
        ):
            torch.testing.assert_close(ours_now, partials[name], rtol=0, atol=2e-6)


def test_e_14_ninety_six_blocks_add_192_times_and_each_sum_copies_the_gradient() -> None:
    """E-14: the gradient behind a sum reaches branch and skip unchanged, and where they part the two are added up."""
    torch.manual_seed(0)
    sums: list[tuple[Tensor, Tensor, Tensor]] = []
    x = first = tokens().requires_grad_()
    for _ in range(96):
        block = PreNormBlock(WIDTH, HEADS, HIDDEN, causal=True).double()
        for branch in (lambda h, b=block: b.attention(b.norm1(h)), lambda h, b=block: b.mlp(b.norm2(h))):
            out = branch(x)
            skip = x.view_as(x)
            total = skip + out
            for tensor in (skip, out, total):
                tensor.retain_grad()
            sums.append((skip, out, total))
            x = total
    assert len(sums) == 192
    x.pow(3).sum().backward(retain_graph=True)
    for skip, out, total in sums:
        assert skip.grad is not None
        assert torch.equal(skip.grad, total.grad)
        assert out.grad is not None
        assert torch.equal(out.grad, total.grad)
    (skip, out, _total) = sums[0]
    (through_branch,) = torch.autograd.grad(out, first, out.grad)
    assert first.grad is not None
    torch.testing.assert_close(first.grad, skip.grad + through_branch, rtol=0, atol=1e-12)
