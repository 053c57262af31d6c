"""A slice through the loss of any network, in plain PyTorch: the program behind pictures of loss landscapes."""

from collections.abc import Callable

import torch
from torch import Tensor, nn


@torch.no_grad()
def random_direction(model: nn.Module) -> list[Tensor]:
    """A random direction in which every row of weights has the norm of the model's own row; biases and gains do not
    move.

    This is filter normalization (Li et al. 1712.09913, section 4). A gain is any parameter with one number per row.
    """
    direction = []
    for parameter in model.parameters():
        noise = torch.zeros_like(parameter)
        if parameter.dim() > 1 and parameter.numel() > len(parameter):
            rows = torch.randn_like(parameter, memory_format=torch.contiguous_format).flatten(1)
            rows *= parameter.flatten(1).norm(dim=1, keepdim=True) / rows.norm(dim=1, keepdim=True)
            noise.copy_(rows.view(parameter.shape))  # `noise` may have another order in memory: channels_last
        direction.append(noise)
    return direction


@torch.no_grad()
def loss_slice(model: nn.Module, loss: Callable[[], Tensor], reach: float = 1.0, points: int = 21) -> Tensor:
    """(points, points): the loss on a grid around the model's weights; weights and buffers are restored at the end.

    `loss` computes it from the model's current weights, for example `lambda: cross_entropy(model(inputs), labels)`. If
    the model has BatchNorm, its mode decides what you see: in `train()` the statistics follow the weights, in `eval()`
    they stay fixed.
    """
    center = [parameter.clone() for parameter in model.parameters()]
    buffers = [(buffer, buffer.clone()) for buffer in model.buffers()]  # in train(), BatchNorm updates its statistics
    across, up = random_direction(model), random_direction(model)
    steps = torch.linspace(-reach, reach, points)
    heights = torch.empty(points, points)
    try:
        for row, b in enumerate(steps):
            for column, a in enumerate(steps):
                for parameter, start, first, second in zip(model.parameters(), center, across, up, strict=True):
                    parameter.copy_(start + a * first + b * second)
                heights[row, column] = loss()
    finally:
        for parameter, start in zip(model.parameters(), center, strict=True):
            parameter.copy_(start)
        for buffer, before in buffers:
            buffer.copy_(before)
    return heights
