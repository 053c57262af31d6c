"""The three questions to a network, with networks that have the fault and networks that have not."""

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from sims.numbers.memory.saved import BATCH, BLOCKS, WIDTH, kilobytes
from sims.pytorch.diagnostics.checks import gradient_norms, saved_bytes, sees_the_future
from sims.pytorch.layers.blocks import Plain, Residual
from sims.pytorch.layers.branch_ends import zero_ends
from sims.pytorch.layers.transformer_blocks import Attention, PostNormBlock, PreNormBlock


def test_gradient_norms_are_torchs_and_name_the_dead() -> None:
    torch.manual_seed(0)
    block = PreNormBlock(16, 2, 32, causal=True)
    zero_ends(block, "mlp.narrow")
    x = torch.randn(2, 4, 16)
    norms = gradient_norms(block, block(x).pow(3).sum())
    assert norms["mlp.widen.weight"] == 0
    block(x).pow(3).sum().backward()
    for name, parameter in block.named_parameters():
        assert norms[name] == pytest.approx(parameter.grad.norm().item(), rel=1e-5)
    unused = nn.ModuleList([block, nn.Linear(2, 2)])
    assert gradient_norms(unused, block(x).sum())["1.weight"] == 0


def test_gradient_norms_leave_the_graph_and_skip_what_is_frozen() -> None:
    block, x = PreNormBlock(16, 2, 32, causal=True), torch.randn(2, 4, 16)
    block.mlp.requires_grad_(requires_grad=False)
    loss = block(x).pow(3).sum()
    norms = gradient_norms(block, loss)
    assert not [name for name in norms if name.startswith("mlp.")]
    assert norms["attention.output.weight"] > 0
    loss.backward()
    assert norms["norm1.weight"] == pytest.approx(block.norm1.weight.grad.norm().item(), rel=1e-5)


def test_gradient_norms_refuse_what_has_no_gradient() -> None:
    layer, x = nn.Linear(3, 3), torch.randn(2, 3)
    for loss in (layer(x), layer(x).sum().detach()):
        with pytest.raises(ValueError, match="loss of one number"):
            gradient_norms(layer, loss)
    layer.requires_grad_(requires_grad=False)
    with pytest.raises(ValueError, match="not frozen"):
        gradient_norms(layer, layer(x.requires_grad_()).sum())


@pytest.mark.parametrize("causal", [True, False])
def test_a_frozen_block_sees_no_more_and_no_less(causal: bool) -> None:
    block = PreNormBlock(16, 2, 32, causal).requires_grad_(requires_grad=False)
    with torch.no_grad():
        assert sees_the_future(block, torch.randn(1, 6, 16)) is not causal
    assert not any(parameter.requires_grad for parameter in block.parameters())


@pytest.mark.parametrize("causal", [True, False])
def test_frozen_zeros_that_may_hide_a_missing_mask_are_refused(causal: bool) -> None:
    block = PreNormBlock(16, 2, 32, causal)
    zero_ends(block, "attention.output")
    block.attention.output.requires_grad_(requires_grad=False)
    with pytest.raises(ValueError, match=r"may hide a missing mask: attention\.output\.weight$"):
        sees_the_future(block, torch.randn(1, 6, 16))


@pytest.mark.parametrize(
    ("model", "x"),
    [
        (nn.Identity(), torch.randn(1, 1, 4)),
        (nn.Identity(), torch.ones(1, 3, 4, dtype=torch.long)),
        (nn.Identity(), torch.randn(3, 4)),
        (nn.Flatten(), torch.randn(1, 3, 4)),
        (nn.Threshold(1e9, 0.0), torch.randn(1, 3, 4)),
        (nn.Identity(), torch.full((1, 3, 4), torch.nan)),
        (nn.LSTM(4, 4, batch_first=True), torch.randn(1, 3, 4)),
    ],
    ids=["one token", "whole numbers", "no batch", "no tokens", "constant", "not finite", "a tuple"],
)
def test_what_cannot_be_judged_is_refused(model: nn.Module, x: torch.Tensor) -> None:
    with pytest.raises(ValueError, match=r"x must be|output must be|derivative"):
        sees_the_future(model, x)


@pytest.mark.parametrize("causal", [True, False])
def test_only_an_unmasked_block_sees_the_future(causal: bool) -> None:
    assert sees_the_future(PreNormBlock(16, 2, 32, causal), torch.randn(1, 6, 16)) is not causal


@pytest.mark.parametrize("kind", [PreNormBlock, PostNormBlock])
@pytest.mark.parametrize("causal", [True, False])
def test_branches_that_start_at_zero_hide_no_missing_mask(kind: type[nn.Module], causal: bool) -> None:
    block = kind(width=16, heads=2, hidden=32, causal=causal)
    zero_ends(block, "attention.output", "mlp.narrow")
    before = {name: tensor.clone() for name, tensor in block.state_dict().items()}
    random = torch.random.get_rng_state()
    x = torch.zeros(1, 6, 16).normal_(generator=torch.Generator().manual_seed(0))
    assert sees_the_future(block, x) is not causal
    assert torch.equal(torch.random.get_rng_state(), random)
    assert all(torch.equal(tensor, before[name]) for name, tensor in block.state_dict().items())


def test_a_factor_that_starts_at_zero_hides_no_missing_mask() -> None:
    class ReZero(nn.Module):
        def __init__(self, causal: bool) -> None:
            super().__init__()
            self.attention, self.factor = Attention(16, 2, causal), nn.Parameter(torch.zeros(()))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.factor * self.attention(x)

    x = torch.randn(1, 6, 16)
    assert sees_the_future(ReZero(causal=False), x)
    assert not sees_the_future(ReZero(causal=True), x)


def test_a_mask_of_fixed_zeros_stays_a_mask() -> None:
    class Mixing(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.shares = nn.Parameter(torch.ones(6, 6).tril(), requires_grad=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.shares @ x

    assert not sees_the_future(Mixing(), torch.randn(1, 6, 16))


def test_h_01_a_skip_keeps_no_more_than_a_plain_stack() -> None:
    assert kilobytes(skip=True) == kilobytes(skip=False)
    activations = 2 * BLOCKS - 1  # what enters each layer, but for the input itself
    assert kilobytes(skip=False) == activations * BATCH * WIDTH * 4 / 1e3
    x = torch.ones(3, 8)
    layer = nn.Sequential(nn.Linear(8, 8), nn.Tanh())
    assert saved_bytes(Residual(layer), x) == saved_bytes(Plain(layer), x) == 3 * 8 * 4


def test_frozen_layers_keep_less_and_nothing_at_all_is_refused() -> None:
    stack, x = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8)), torch.ones(3, 8)
    assert saved_bytes(stack, x) == 3 * 8 * 4
    stack[0].requires_grad_(requires_grad=False)
    stack[2].requires_grad_(requires_grad=False)
    with pytest.raises(ValueError, match="nothing is kept"):
        saved_bytes(stack, x)
    assert saved_bytes(stack, x.clone().requires_grad_()) == 3 * 8 * 4
    with torch.no_grad(), pytest.raises(ValueError, match="switched off"):
        saved_bytes(stack, x.clone().requires_grad_())
    with pytest.raises(ValueError, match="meta"):
        saved_bytes(nn.Linear(2, 2, device="meta"), torch.ones(1, 2, device="meta"))


def test_measuring_leaves_the_statistics_of_batch_norm() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).train()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    assert saved_bytes(model, torch.randn(8, 4) + 3) > 0
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())


def test_buffers_are_not_activations() -> None:
    norm, x = nn.BatchNorm1d(8).eval(), torch.randn(3, 8, requires_grad=True)
    assert saved_bytes(norm, x) == 0


class Forgetful(nn.Module):
    """A block that is computed again on the way back."""

    def __init__(self, block: nn.Module) -> None:
        super().__init__()
        self.block = block

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return checkpoint(self.block, x, use_reentrant=False)


def test_h_02_checkpoints_keep_less_and_give_the_same_gradients() -> None:
    """H-02: with torch's own checkpoints, one to a block, only what enters a block is kept."""
    torch.manual_seed(0)
    blocks = [Residual(nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 16))) for _ in range(4)]
    usual, forgetful = nn.Sequential(*blocks), nn.Sequential(*map(Forgetful, blocks))
    x = torch.randn(8, 16, requires_grad=True)
    input_bytes = 3 * x.nbytes  # what enters the second block and those behind it
    assert saved_bytes(forgetful, x) == input_bytes < saved_bytes(usual, x)
    leaves = [x, *usual.parameters()]
    gradients = [torch.autograd.grad(stack(x).pow(2).sum(), leaves) for stack in (usual, forgetful)]
    assert all(torch.equal(one, other) for one, other in zip(*gradients, strict=True))
