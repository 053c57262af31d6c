"""Stacks that need different amounts of memory for the backward pass, in plain PyTorch; each lists its branches."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from sims.pytorch.layers.blocks import Dense, Plain, PreNorm, Residual


def branch(width: int, out: int | None = None) -> nn.Sequential:
    """Linear, ReLU, Linear: from `width` to `width` to `out` features (`width` by default)."""
    return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, out or width))


class Stack(nn.Module):
    """Blocks in a row on x, (points, width); `branches` are the parts of the blocks that compute, in order."""

    def __init__(self, blocks: list[nn.Module], branches: list[nn.Module]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)
        self.branches = branches

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return x


class Checkpointed(Stack):
    """A stack that keeps only the input of each segment of `length` blocks; the backward pass computes a segment again
    (Chen et al. 1604.06174, section 4.1)."""

    def __init__(self, blocks: list[nn.Module], branches: list[nn.Module], length: int) -> None:
        super().__init__(blocks, branches)
        self.length = length

    def forward(self, x: Tensor) -> Tensor:
        for start in range(0, len(self.blocks), self.length):
            x = checkpoint(nn.Sequential(*self.blocks[start : start + self.length]), x, use_reentrant=True)
        return x


class Reversible(Stack):
    """Two halves that change each other in turn, a ← a + F(b), b ← b + G(a). The backward pass computes each block's
    input from its output, so nothing inside the stack is kept (Gomez et al. 1707.04585, equations 6 and 7)."""

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = _Reversal.apply(x, self.branches, *self.parameters())
        return out


class _Reversal(torch.autograd.Function):
    """A reversible stack as one operation: it saves its output, and recomputes all inputs in the backward pass."""

    @staticmethod
    def forward(context: Any, x: Tensor, branches: list[nn.Module], *_parameters: Tensor) -> Tensor:
        halves = list(x.chunk(2, dim=1))
        for number, module in enumerate(branches):
            at = number % 2
            halves[at] = halves[at] + module(halves[1 - at])
        out = torch.cat(halves, dim=1)
        context.branches = branches
        context.save_for_backward(out)
        return out

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        halves = list(context.saved_tensors[0].chunk(2, dim=1))
        slopes = list(gradients[0].chunk(2, dim=1))
        by_parameter: dict[int, Tensor] = {}
        for number in reversed(range(len(context.branches))):
            module, at = context.branches[number], number % 2
            inputs = halves[1 - at].detach().requires_grad_()
            with torch.enable_grad():
                change = module(inputs)
            parameters = list(module.parameters())
            slope, *others = torch.autograd.grad(change, [inputs, *parameters], slopes[at])
            halves[at] = halves[at] - change.detach()
            slopes[1 - at] = slopes[1 - at] + slope
            by_parameter |= {id(parameter): value for parameter, value in zip(parameters, others, strict=True)}
        order = [parameter for module in context.branches for parameter in module.parameters()]
        return torch.cat(slopes, dim=1), None, *(by_parameter[id(parameter)] for parameter in order)


def stack(kind: str, depth: int, width: int, growth: int, segment: int) -> Stack:
    """`depth` blocks on a stream of width `width`: "plain", "residual", "pre_norm", "checkpointed" in segments of
    `segment` blocks, "reversible" on two halves, or "dense", where each block appends `growth` features.

    Raises KeyError for another kind.
    """
    if kind == "dense":
        grown = [branch(width + at * growth, growth) for at in range(depth)]
        return Stack([Dense(module) for module in grown], [*grown])
    if kind == "reversible":
        halves = [branch(width // 2) for _ in range(2 * depth)]
        return Reversible([*halves], [*halves])
    branches = [branch(width) for _ in range(depth)]
    if kind == "pre_norm":
        return Stack([PreNorm(module, width) for module in branches], [*branches])
    around = {"plain": Plain, "residual": Residual, "checkpointed": Residual}[kind]
    blocks: list[nn.Module] = [around(module) for module in branches]
    return Checkpointed(blocks, [*branches], segment) if kind == "checkpointed" else Stack(blocks, [*branches])
