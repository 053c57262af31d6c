"""Reversible stacks that autograd differentiates in the ordinary way, and their inverse, in plain PyTorch.

Two halves of a stream change each other in turn, a ← a + F(b) and b ← b + G(a);
`sims.pytorch.stacks.memory_stacks.Reversible` is the same network, but keeps no inner values for the backward pass.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from sims.pytorch.stacks.memory_stacks import Stack


class Coupled(Stack):
    """The couplings of a reversible stack on x, (points, width); autograd saves what it needs of every branch."""

    def forward(self, x: Tensor) -> Tensor:
        halves = list(x.chunk(2, dim=1))
        for number, branch in enumerate(self.branches):
            at = number % 2
            halves[at] = halves[at] + branch(halves[1 - at])
        return torch.cat(halves, dim=1)


def undone(branches: Sequence[nn.Module], out: Tensor) -> Tensor:
    """Compute the input of such a stack, (points, width), from its output: b = b′ − G(a′), a = a′ − F(b) (Gomez et al.
    1707.04585, equation 7)."""
    halves = list(out.chunk(2, dim=1))
    for number in reversed(range(len(branches))):
        at = number % 2
        halves[at] = halves[at] - branches[number](halves[1 - at])
    return torch.cat(halves, dim=1)


def branches(seed: int, blocks: int, half: int, strength: float) -> list[nn.Module]:
    """F and G of every block in turn, each Linear, ReLU, Linear without biases, in double precision.

    With a strength of 1 a branch keeps the mean square of its input half, on average over weights: their variance is
    2/half before the ReLU, and strength²/half after it. Stacks of different depths share their first blocks.
    """
    random = torch.Generator().manual_seed(seed)
    modules: list[nn.Module] = []
    for _ in range(2 * blocks):
        layers = []
        for variance in (2 / half, strength**2 / half):
            layer = nn.utils.skip_init(nn.Linear, half, half, bias=False, dtype=torch.float64)
            layer.weight.data = torch.randn(half, half, generator=random, dtype=torch.float64) * variance**0.5
            layers.append(layer)
        modules.append(nn.Sequential(layers[0], nn.ReLU(), layers[1]))
    return modules
