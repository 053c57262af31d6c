"""The block of the first residual networks for images, and the one its authors proposed a year later, in PyTorch."""

from torch import Tensor, nn


def convolution(channels: int) -> nn.Conv2d:
    """3 × 3, with as many channels and pixels coming out as going in; a BatchNorm behind it replaces the bias."""
    return nn.Conv2d(channels, channels, kernel_size=3, padding=1, bias=False)


class OriginalBlock(nn.Module):
    """h ← ReLU(h + F(h)) (He et al. 1512.03385, figure 2)"""

    def __init__(self, channels: int, skip: bool = True) -> None:
        super().__init__()
        self.skip = skip
        self.branch = nn.Sequential(
            convolution(channels),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            convolution(channels),
            nn.BatchNorm2d(channels),
        )

    def forward(self, h: Tensor) -> Tensor:
        branch = self.branch(h)
        return nn.functional.relu(h + branch if self.skip else branch)


class PreActivationBlock(nn.Module):
    """h ← h + F(h) (He et al. 1603.05027, figure 4e)"""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.branch = nn.Sequential(
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            convolution(channels),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            convolution(channels),
        )

    def forward(self, h: Tensor) -> Tensor:
        return h + self.branch(h)
