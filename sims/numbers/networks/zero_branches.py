"""Blocks whose last layer is zero, in PyTorch: what a stack of them makes of its input."""

import torch
from torch import nn

from sims.pytorch.layers.blocks import FeedForward, Plain, Residual


def stack(blocks: int, width: int, skip: bool) -> nn.Sequential:
    """Linear, ReLU, Linear in every branch; the last is all zeros."""
    modules = []
    for _ in range(blocks):
        branch = FeedForward(width, hidden=4 * width)
        for parameter in branch[2].parameters():
            nn.init.zeros_(parameter)
        modules.append(Residual(branch) if skip else Plain(branch))
    return nn.Sequential(*modules)


def check(blocks: int = 50, width: int = 64) -> tuple[bool, float]:
    """Does the residual stack copy bit for bit, and what is left behind the plain one?"""
    seeded = torch.Generator().manual_seed(0)
    x = torch.randn(8, width, generator=seeded)
    with torch.no_grad():
        same = torch.equal(stack(blocks, width, skip=True)(x), x)
        length = stack(blocks, width, skip=False)(x).norm().item()
    return same, length
