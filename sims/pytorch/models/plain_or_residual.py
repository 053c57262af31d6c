"""The two networks of chapter 0 in plain PyTorch: one class with a single condition."""

import torch
from torch import Tensor, nn


class Network(nn.Module):
    """`depth` linear layers with ReLU; with `skip`, every two of them get a shortcut (arXiv 1512.03385, figure 2).

    x is (batch, inputs), and the output (batch, classes).
    """

    def __init__(self, inputs: int, width: int, classes: int, depth: int, skip: bool) -> None:
        super().__init__()
        self.stem = nn.Linear(inputs, width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth - 2)])
        self.head = nn.Linear(width, classes)
        self.skip = skip

    def forward(self, x: Tensor) -> Tensor:
        h = torch.relu(self.stem(x))
        for one, two in zip(self.layers[::2], self.layers[1::2], strict=True):
            branch = two(torch.relu(one(h)))
            h = torch.relu(h + branch) if self.skip else torch.relu(branch)
        return self.head(h)
