"""Initialization of branches: what to do to the last layer of each branch, given by its name in the block."""

import torch
from torch import Tensor, nn


@torch.no_grad()
def normal_start(block: nn.Module) -> None:
    """Initialize the weights of all linear layers with standard deviation 0.02, as GPT-2 does; biases become 0.

    Any dtype and device. Embeddings stay as they are.
    """
    for layer in block.modules():
        if isinstance(layer, nn.Linear):
            layer.weight.normal_(0, 0.02)
            if layer.bias is not None:
                layer.bias.zero_()


@torch.no_grad()
def zero_ends(block: nn.Module, *ends: str) -> None:
    """Let every branch output 0 at the start (Goyal et al. 1706.02677, section 5.1).

    ends: the names of the branches' last layers in the block, as in `block.named_modules()`. All their parameters
    become 0, of any shape and dtype. Raises AttributeError for a name that the block does not have.
    """
    for name in ends:
        for parameter in block.get_submodule(name).parameters():
            parameter.zero_()


@torch.no_grad()
def shrink_ends(block: nn.Module, factor: float, *ends: str) -> None:
    """Let every branch start smaller; training may grow it (GPT-2; Radford et al. 2019, section 2.3).

    ends: the names of the branches' last layers in the block, as in `block.named_modules()`. All their parameters are
    multiplied, of any shape and dtype. Raises AttributeError for a name that the block does not have.
    """
    for name in ends:
        for parameter in block.get_submodule(name).parameters():
            parameter.mul_(factor)


class Scaled(nn.Module):
    """factor · layer(x), of the shape and dtype of layer(x).

    The factor is in the state dict, so loading its weights into a block without it raises an error.
    """

    factor: Tensor

    def __init__(self, layer: nn.Module, factor: float) -> None:
        super().__init__()
        self.layer = layer
        weight = next(layer.parameters(), torch.zeros(()))
        self.register_buffer("factor", torch.tensor(factor, device=weight.device, dtype=weight.dtype))

    def forward(self, x: Tensor) -> Tensor:
        return self.factor * self.layer(x)


def multiply_ends(block: nn.Module, factor: float, *ends: str) -> None:
    """Multiply every branch's output by a constant, in every forward pass from now on: each end becomes `Scaled`.

    ends: the names of the branches' last layers in the block, as in `block.named_modules()`. In the state dict,
    "end.weight" becomes "end.layer.weight". Raises AttributeError for a name that the block does not have.
    """
    for name in ends:
        block.set_submodule(name, Scaled(block.get_submodule(name), factor))
