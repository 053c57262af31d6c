"""Sixteen small networks of equal depth, healthy or ill, for an X-ray to tell apart."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Rules:
    """What distinguishes a network. `norm` is "pre", "post" or empty; the rest is that of every block, except `odd`."""

    norm: str = "pre"
    final_norm: bool = True
    he: bool = False
    skip: float = 1.0
    branch: float = 1.0
    plain: bool = False
    zero: bool = False
    """Whether the last matrix of a branch starts at zero"""
    detached: bool = False
    dropout: float = 0.0
    """Of the skip"""
    bent_branch: bool = False
    bent_sum: bool = False
    half: bool = False
    """Whether the stream is stored in half precision after every sum"""
    forgotten: bool = False
    """Whether one block, in the middle, has no skip"""
    dead: bool = False
    """Whether every third branch starts with biases that no input overcomes"""


class Block(nn.Module):
    """A residual block of two linear layers, or what an illness makes of it."""

    def __init__(self, width: int, rules: Rules, forgotten: bool, dead: bool) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(width, width), nn.Linear(width, width)
        self.norm = nn.LayerNorm(width) if rules.norm else nn.Identity()
        self.dropout = nn.Dropout(rules.dropout) if rules.dropout else nn.Identity()
        self.rules, self.forgotten = rules, forgotten
        if rules.he:
            for layer in (self.first, self.last):
                nn.init.kaiming_normal_(layer.weight)
        if rules.zero:
            nn.init.zeros_(self.last.weight)
            nn.init.zeros_(self.last.bias)
        if dead:
            nn.init.constant_(self.first.bias, -10.0)

    def forward(self, x: Tensor) -> Tensor:
        """(batch, width) to the same shape."""
        rules = self.rules
        branch = self.last(torch.relu(self.first(self.norm(x) if rules.norm == "pre" else x)))
        if rules.bent_branch:
            branch = torch.relu(branch)
        if rules.plain or self.forgotten:
            return torch.relu(branch) if rules.plain else branch
        if rules.branch != 1:
            branch = rules.branch * branch
        skip = self.dropout(x.detach() if rules.detached else x)
        if rules.skip != 1:
            skip = rules.skip * skip
        total = skip + branch
        if rules.bent_sum:
            total = torch.relu(total)
        if rules.half:
            total = total.half().float()
        return self.norm(total) if rules.norm == "post" else total


class IllNetwork(nn.Module):
    """A stem, blocks and a head for vectors of `features` numbers."""

    def __init__(self, rules: Rules, blocks: int, width: int, features: int, classes: int) -> None:
        super().__init__()
        self.stem = nn.Linear(features, width)
        self.blocks = nn.ModuleList(
            Block(width, rules, rules.forgotten and at == blocks // 2, rules.dead and at % 3 == 1)
            for at in range(blocks)
        )
        self.norm = nn.LayerNorm(width) if rules.norm == "pre" and rules.final_norm else nn.Identity()
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor) -> Tensor:
        """(batch, features) to (batch, classes)."""
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        head: Tensor = self.head(self.norm(x))
        return head
