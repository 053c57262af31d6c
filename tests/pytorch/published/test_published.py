"""Our blocks with the weights of the modules that others publish: the same names, the same outputs."""

from collections.abc import Callable
from types import ModuleType

import pytest
import torch
from torch import Tensor, nn

from sims.pytorch.published.convnext import ConvNeXtBlock, from_torchvision
from sims.pytorch.published.gpt2 import GPT2Block, from_conv1d
from sims.pytorch.published.llama import LlamaBlock
from sims.pytorch.published.resnet import BasicBlock, Bottleneck
from tests.pytorch.published.facts import PACKAGES

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("default")]
Find = Callable[[str], ModuleType]


@torch.no_grad()
def stirred(module: nn.Module) -> nn.Module:
    """The module with random numbers in place of all its weights, statistics of BatchNorm included."""
    random = torch.Generator().manual_seed(0)
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point():
            noise = 0.3 * torch.randn(tensor.shape, generator=random)
            tensor.copy_(1 + noise.abs() if "var" in name else noise)
    return module.eval()


def same(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-5)


def of_order_one(x: Tensor) -> None:
    """An output that is far from zero, so that an error of 1e-5 is a small one."""
    assert x.std() > 0.1


@pytest.mark.parametrize("mask", [False, True])
def test_a_gpt_2_of_our_blocks_gives_the_logits_of_transformers(published: Find, mask: bool) -> None:
    gpt2 = published("transformers.models.gpt2.modeling_gpt2")
    config = gpt2.GPT2Config(vocab_size=50, n_positions=16, n_embd=32, n_layer=3, n_head=4)
    theirs = stirred(gpt2.GPT2LMHeadModel(config))
    words = torch.randint(0, 50, (2, 9), generator=torch.Generator().manual_seed(1))
    there = torch.ones(2, 9, dtype=torch.long)
    there[1, :3] = 0 if mask else 1  # padding on the left, where every token still reads itself
    positions = torch.arange(9).expand(2, 9)
    with torch.no_grad():
        core = theirs.transformer
        x = core.wte(words) + core.wpe(positions)
        for layer in core.h:
            block = GPT2Block(32, 4)
            block.load_state_dict(from_conv1d(layer.state_dict()))
            block.eval()
            x = block(x, mask=there[:, None, None].bool() if mask else None)
        logits = theirs.lm_head(core.ln_f(x))
        expected = theirs(words, attention_mask=there, position_ids=positions).logits
    of_order_one(expected)
    same(logits[there.bool()], expected[there.bool()])


@pytest.mark.parametrize(("key_heads", "base", "epsilon"), [(4, 10_000.0, 1e-6), (2, 500_000.0, 1e-5)])
def test_a_llama_of_our_blocks_gives_the_logits_of_transformers(
    published: Find, key_heads: int, base: float, epsilon: float
) -> None:
    llama = published("transformers.models.llama.modeling_llama")
    config = llama.LlamaConfig(
        vocab_size=50,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=key_heads,
        rms_norm_eps=epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": base},
    )
    theirs = stirred(llama.LlamaForCausalLM(config))
    words = torch.randint(0, 50, (2, 9), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        x = theirs.model.embed_tokens(words)
        for layer in theirs.model.layers:
            block = LlamaBlock(32, 4, key_heads, 48, rope_base=base, norm_eps=epsilon)
            block.load_state_dict(layer.state_dict())
            x = block(x)
        logits = theirs.lm_head(theirs.model.norm(x))
        expected = theirs(words).logits
    of_order_one(expected)
    same(logits, expected)


@pytest.mark.parametrize(
    ("kind", "package"), [(kind, package) for kind in (BasicBlock, Bottleneck) for package in PACKAGES[kind]]
)
@pytest.mark.parametrize(("inputs", "stride"), [(32, 1), (16, 1), (32, 2)])
def test_the_blocks_of_resnet(published: Find, package: str, inputs: int, stride: int, kind: type[nn.Module]) -> None:
    resnet, outputs = published(f"{package}.models.resnet"), 32
    downsample = None
    if (inputs, stride) != (outputs, 1):
        downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))
    planes = outputs if kind is BasicBlock else outputs // 4
    theirs = stirred(getattr(resnet, kind.__name__)(inputs, planes, stride, downsample))
    block = kind(inputs, outputs, stride)
    block.load_state_dict(theirs.state_dict())
    x = torch.randn(2, inputs, 7, 7, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = theirs(x)
        of_order_one(expected)
        same(block.eval()(x), expected)


@pytest.mark.parametrize("package", PACKAGES[ConvNeXtBlock])
def test_the_block_of_convnext(published: Find, package: str) -> None:
    convnext = published(f"{package}.models.convnext")
    theirs = stirred(convnext.ConvNeXtBlock(16) if package == "timm" else convnext.CNBlock(16, 1e-6, 0.0))
    state = theirs.state_dict()
    block = ConvNeXtBlock(16)
    block.load_state_dict(state if package == "timm" else from_torchvision(state))
    x = torch.randn(2, 16, 9, 8, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = theirs(x)
        assert (expected - x).std() > 0.1
        same(block.eval()(x), expected)
