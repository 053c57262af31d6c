"""Initialization of branches: what to do to the last layer of each branch, given by its name in the block."""

import torch
from torch import Tensor, nn


@torch.no_grad()
def normal_start(block: nn.Module) -> None:
    """Draw the weights of all linear layers with standard deviation 0.02, as GPT-2 does."""
    for layer in block.modules():
        if isinstance(layer, nn.Linear):
            layer.weight.normal_(0, 0.02)
            layer.bias.zero_()


@torch.no_grad()
def zero_ends(block: nn.Module, *ends: str) -> None:
    """Let every branch output 0 at the start (Goyal et al. 1706.02677, section 5.1)."""
    for name in ends:
        for parameter in block.get_submodule(name).parameters():
            parameter.zero_()


@torch.no_grad()
def shrink_ends(block: nn.Module, factor: float, *ends: str) -> None:
    """Let every branch start smaller; training may grow it (GPT-2; Radford et al. 2019)."""
    for name in ends:
        for parameter in block.get_submodule(name).parameters():
            parameter.mul_(factor)


def multiply_ends(block: nn.Module, factor: float, *ends: str) -> None:
    """Multiply every branch's output by a constant, in every forward pass from now on."""

    def multiplied(layer: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:
        return factor * output

    for name in ends:
        block.get_submodule(name).register_forward_hook(multiplied)
