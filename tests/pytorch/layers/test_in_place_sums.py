"""Sums in place: the same numbers and gradients where autograd allows them, and a refusal where it does not."""

import pytest
import torch
from torch import nn

from sims.pytorch.layers.blocks import Residual
from sims.pytorch.layers.in_place_sums import InPlaceSum
from sims.pytorch.stacks.memory_stacks import branch

WIDTH = 8


def stream() -> torch.Tensor:
    return torch.randn(5, WIDTH, generator=torch.Generator().manual_seed(0))


def test_over_the_branch_nothing_changes() -> None:
    inside = branch(WIDTH)
    usual, other = Residual(inside), InPlaceSum(inside)
    slopes = []
    for block in (usual, other):
        x = stream().requires_grad_()
        out = block(x)
        slopes.append((out.detach(), *torch.autograd.grad(out.square().sum(), [x, *inside.parameters()])))
    for one, another in zip(*slopes, strict=True):
        torch.testing.assert_close(one, another)


def test_over_the_stream_the_way_back_is_refused() -> None:
    """The first linear layer kept what was written over."""
    out = InPlaceSum(branch(WIDTH), over_stream=True)(stream().requires_grad_().clone())
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()


def test_over_a_branch_that_ends_in_a_relu_it_is_refused_as_well() -> None:
    out = InPlaceSum(nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU()))(stream().requires_grad_())
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()
