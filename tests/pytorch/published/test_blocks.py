"""The blocks that load published weights: masks, caches, dropout, precision, and what they refuse."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from sims.pytorch.diagnostics.checks import sees_the_future
from sims.pytorch.layers.recipe_blocks import LayerScaleBlock
from sims.pytorch.published import convnext, gpt2, llama, resnet
from sims.pytorch.published.convnext import ConvNeXtBlock
from sims.pytorch.published.gpt2 import GPT2Block
from sims.pytorch.published.llama import LlamaBlock
from sims.pytorch.published.resnet import Bottleneck
from tests.pytorch.published.facts import CHAPTER, FACTS, TABLE, Fact

TOKENS = 7


every_block = pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.block.__name__)
attending = pytest.mark.parametrize(
    "make", [fact.make for fact in FACTS if fact.attends], ids=[fact.block.__name__ for fact in FACTS if fact.attends]
)


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@attending
@pytest.mark.parametrize("causal", [True, False])
def test_only_without_the_causal_flag_a_token_reads_later_ones(make: Callable[..., nn.Module], causal: bool) -> None:
    assert sees_the_future(make(causal=causal), numbers(1, 6, 16)) is not causal


@attending
def test_a_causal_mask_is_the_causal_flag(make: Callable[..., nn.Module]) -> None:
    block, x = make(causal=False), numbers(2, TOKENS, 16)
    mask = torch.ones(TOKENS, TOKENS, dtype=torch.bool).tril()
    flagged = make()
    flagged.load_state_dict(block.state_dict())
    torch.testing.assert_close(block(x, mask), flagged(x), rtol=0, atol=1e-6)


@attending
def test_what_a_mask_hides_changes_nothing(make: Callable[..., nn.Module]) -> None:
    """Padding at the start of the second sequence; every token reads itself."""
    block, x = make(), numbers(2, TOKENS, 16)
    there = torch.ones(2, TOKENS, dtype=torch.bool)
    there[1, :3] = False
    mask = there[:, None, None] | torch.eye(TOKENS, dtype=torch.bool)
    other = torch.where(there[..., None], x, numbers(2, TOKENS, 16, seed=1))
    one, two = block(x, mask), block(other, mask)
    torch.testing.assert_close(one[there], two[there], rtol=0, atol=1e-6)
    assert not torch.allclose(block(x)[1, 3:], block(other)[1, 3:], atol=1e-3)


@attending
@pytest.mark.parametrize("pieces", [[1] * TOKENS, [3, 4], [4, 1, 2], [TOKENS]])
@pytest.mark.parametrize("masked", [False, True])
def test_a_cache_gives_what_one_pass_gives(make: Callable[..., nn.Module], pieces: list[int], masked: bool) -> None:
    block, x = make(), numbers(2, TOKENS, 16)
    mask = torch.rand(TOKENS, TOKENS, generator=torch.Generator().manual_seed(2)) < 0.5 if masked else None
    mask = mask | torch.eye(TOKENS, dtype=torch.bool) if mask is not None else None
    cache: dict[str, Tensor] = {}
    outputs, start = [], 0
    for count in pieces:
        end = start + count
        outputs.append(block(x[:, start:end], None if mask is None else mask[start:end, :end], cache))
        start = end
    torch.testing.assert_close(torch.cat(outputs, 1), block(x, mask), rtol=0, atol=1e-6)
    assert cache["k"].shape[2] == TOKENS


@attending
def test_dropout_acts_in_training_alone(make: Callable[..., nn.Module]) -> None:
    torch.manual_seed(0)
    block, x = make(dropout=0.5), numbers(2, TOKENS, 16)
    assert not torch.equal(block(x), block(x))
    assert torch.equal(block.eval()(x), block(x))


def test_a_sample_skips_a_branch_of_convnext_or_gets_it_enlarged() -> None:
    torch.manual_seed(0)
    block, x = ConvNeXtBlock(8, drop_path=0.25, gamma_start=1.0), numbers(64, 8, 3, 3)
    branch = block(x) - x
    whole = block.eval()(x) - x
    kept = branch.flatten(1).any(1)
    assert 0 < int((~kept).sum()) < 32
    torch.testing.assert_close(branch[kept], whole[kept] / 0.75, rtol=0, atol=1e-5)


@every_block
def test_device_and_dtype_pass_through(fact: Fact) -> None:
    block = fact.make(device="meta", dtype=torch.float64)
    for tensor in block.state_dict().values():
        assert tensor.is_meta
        assert tensor.dtype in (torch.float64, torch.long)
    assert block(torch.empty(fact.shape, device="meta", dtype=torch.float64)).dtype == torch.float64


@every_block
def test_bfloat16_is_near_float32(fact: Fact) -> None:
    torch.manual_seed(0)
    block, x = fact.make(dtype=torch.bfloat16).eval(), numbers(*fact.shape).bfloat16()
    y = block(x)
    y.sum().backward()
    assert y.dtype == torch.bfloat16
    assert all(parameter.grad is not None for parameter in block.parameters())
    precise = block.float()(x.float())
    assert ((y.float() - precise).norm() / precise.norm()).item() < 0.02


def test_positions_stay_apart_in_bfloat16() -> None:
    x = numbers(64).bfloat16().expand(1, 1, 2048, 64)
    turned, precise = llama.rotate(x), llama.rotate(x.double())
    assert not torch.equal(turned[..., 1000, :], turned[..., 1001, :])
    assert ((turned - precise).norm() / precise.norm()).item() < 0.004  # the rounding of the result
    torch.testing.assert_close(llama.rotate(x[..., :8, :].double(), start=5), llama.rotate(x.double())[..., 5:13, :])


@pytest.mark.exhaustive
@every_block
def test_torch_compile_makes_one_graph(fact: Fact) -> None:
    block, x = fact.make(), numbers(*fact.shape).requires_grad_()
    block.eval()
    compiled = torch.compile(block, fullgraph=True, backend="aot_eager")
    y, expected = compiled(x), block(x)
    torch.testing.assert_close(y, expected, rtol=0, atol=1e-6)
    slopes = [torch.autograd.grad(output.pow(2).sum(), x)[0] for output in (y, expected)]
    torch.testing.assert_close(*slopes, rtol=1e-5, atol=1e-5)
    if fact.attends:
        cache: dict[str, Tensor] = {}
        with torch.no_grad():
            parts = [compiled(x[:, :4], None, cache), compiled(x[:, 4:], None, cache)]
        torch.testing.assert_close(torch.cat(parts, 1), expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GPT2Block(16, 3), "3 heads cannot share a width of 16 equally"),
        (lambda: LlamaBlock(16, 3, 1, 24), "3 heads cannot share a width of 16"),
        (lambda: LlamaBlock(12, 4, 2, 24), "each with an even number"),
        (lambda: LlamaBlock(16, 4, 3, 24), "4 heads cannot share 3 heads of keys"),
        (lambda: Bottleneck(8, 10), "4 does not divide 10"),
        (lambda: ConvNeXtBlock(8, drop_path=1.0), "at least 0 and less than 1"),
        (lambda: LayerScaleBlock(8, 2, 16, causal=False, gamma_start=0.1, drop_path=1.0), "at least 0 and less than 1"),
        (lambda: LayerScaleBlock(8, 2, 16, causal=False, gamma_start=0.1, drop_path=-0.5), "at least 0 and less"),
    ],
)
def test_sizes_that_do_not_divide_are_refused(make: Callable[[], nn.Module], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_conversions_keep_every_tensor() -> None:
    state = GPT2Block(16, 4).state_dict()
    stored = gpt2.from_conv1d(state)  # its own inverse
    assert stored["attn.c_attn.weight"].shape == (16, 48)
    assert all(torch.equal(gpt2.from_conv1d(stored)[name], tensor) for name, tensor in state.items())
    theirs = {"layer_scale": torch.ones(8, 1, 1)}
    for name, layer in {"0": nn.Conv2d(8, 8, 7, groups=8), "2": nn.LayerNorm(8)}.items():
        theirs |= {f"block.{name}.{key}": value for key, value in layer.state_dict().items()}
    assert set(convnext.from_torchvision(theirs)) == {
        name for name in ConvNeXtBlock(8).state_dict() if not name.startswith("mlp")
    }
    assert isinstance(resnet.BasicBlock(8, 8).downsample, nn.Identity)


def test_chapter_9_says_what_is_tested() -> None:
    assert TABLE in CHAPTER.read_text(encoding="utf-8")
    assert "\n\n" not in TABLE
