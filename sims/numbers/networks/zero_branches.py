"""Stacks of blocks whose last layer is zero, in PyTorch, and what they do to their input."""

import torch
from torch import nn

from sims.pytorch.layers.blocks import FeedForward, Plain, Residual


def stack(blocks: int, width: int, skip: bool) -> nn.Sequential:
    """A stack with Linear, ReLU, Linear in every branch; the last one is all zeros."""
    modules = []
    for _ in range(blocks):
        branch = FeedForward(width, hidden=4 * width)
        for parameter in branch[2].parameters():
            nn.init.zeros_(parameter)
        modules.append(Residual(branch) if skip else Plain(branch))
    return nn.Sequential(*modules)


def check(blocks: int = 50, width: int = 64) -> tuple[bool, float]:
    """Does the residual stack copy its input bit for bit, and how long is the plain stack's output?"""
    seeded = torch.Generator().manual_seed(0)
    x = torch.randn(8, width, generator=seeded)
    with torch.no_grad():
        same = torch.equal(stack(blocks, width, skip=True)(x), x)
        length = stack(blocks, width, skip=False)(x).norm().item()
    return same, length
