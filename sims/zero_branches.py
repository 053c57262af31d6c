"""Blocks whose last layer is zero, in PyTorch: what a stack of them makes of its input."""

import torch
from torch import nn

from sims.blocks import FeedForward, Plain, Residual


def stack(blocks: int, width: int, skip: bool) -> nn.Sequential:
    """Blocks with the branch Linear, ReLU, Linear, where the second Linear holds nothing but zeros."""
    made = []
    for _ in range(blocks):
        branch = FeedForward(width, hidden=4 * width)
        for each in branch[2].parameters():
            nn.init.zeros_(each)
        made.append(Residual(branch) if skip else Plain(branch))
    return nn.Sequential(*made)


def check(blocks: int = 50, width: int = 64) -> tuple[bool, float]:
    """Whether the residual stack hands on its input bit for bit, and the length of what the plain one makes of it."""
    x = torch.randn(8, width, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        same = torch.equal(stack(blocks, width, skip=True)(x), x)
        length = stack(blocks, width, skip=False)(x).norm().item()
    return same, length
