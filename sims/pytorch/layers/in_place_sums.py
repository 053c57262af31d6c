"""A residual block whose sum is written over one of its two parts, in plain PyTorch."""

from torch import Tensor, nn


class InPlaceSum(nn.Module):
    """h + F(h), written over F(h), or with `over_stream` over h.

    autograd refuses the way back where what is written over was saved: h always, since F's first linear layer keeps
    it, and F(h) where F ends in a ReLU.
    """

    def __init__(self, branch: nn.Module, over_stream: bool = False) -> None:
        super().__init__()
        self.branch = branch
        self.over_stream = over_stream

    def forward(self, h: Tensor) -> Tensor:
        change: Tensor = self.branch(h)
        return h.add_(change) if self.over_stream else change.add_(h)
