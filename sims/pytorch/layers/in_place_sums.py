"""A residual block whose sum overwrites one of its two terms, in plain PyTorch."""

from torch import Tensor, nn


class InPlaceSum(nn.Module):
    """h + F(h), written into F(h), or with `over_stream` into h.

    autograd raises an error in the backward pass if the overwritten tensor was saved. That is always so for h, which
    F's first linear layer saves, and for F(h) if F ends in a ReLU.
    """

    def __init__(self, branch: nn.Module, over_stream: bool = False) -> None:
        super().__init__()
        self.branch = branch
        self.over_stream = over_stream

    def forward(self, h: Tensor) -> Tensor:
        change: Tensor = self.branch(h)
        return h.add_(change) if self.over_stream else change.add_(h)
