"""Convolutional blocks to copy: the three of ResNet. Tensors have the shape (batch, channels, height, width).

The skip is projected only where shapes change.
"""

from torch import Tensor, nn
from torch.nn.functional import relu


def conv3x3(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    """A 3×3 convolution that keeps the image's size, or halves it. It has no bias: the norm adds one."""
    return nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)


def conv1x1(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    """A linear map of the channels, at every pixel or at every second one in each direction."""
    return nn.Conv2d(inputs, outputs, 1, stride, bias=False)


class BasicBlock(nn.Module):
    """Two 3×3 convolutions, and a ReLU after the sum (He et al. 1512.03385, figure 5, left)."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1, self.norm1 = conv3x3(inputs, outputs, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = conv3x3(outputs, outputs), nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if (inputs, stride) != (outputs, 1):
            self.shortcut = nn.Sequential(conv1x1(inputs, outputs, stride), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        branch = relu(self.norm1(self.conv1(x)))
        branch = self.norm2(self.conv2(branch))
        return relu(self.shortcut(x) + branch)


class BottleneckBlock(nn.Module):
    """A 3×3 convolution between two 1×1 that narrow and widen by four (1512.03385, figure 5)."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        inner = outputs // 4
        self.conv1, self.norm1 = conv1x1(inputs, inner), nn.BatchNorm2d(inner)
        self.conv2, self.norm2 = conv3x3(inner, inner, stride), nn.BatchNorm2d(inner)
        self.conv3, self.norm3 = conv1x1(inner, outputs), nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if (inputs, stride) != (outputs, 1):
            self.shortcut = nn.Sequential(conv1x1(inputs, outputs, stride), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        branch = relu(self.norm1(self.conv1(x)))
        branch = relu(self.norm2(self.conv2(branch)))
        branch = self.norm3(self.conv3(branch))
        return relu(self.shortcut(x) + branch)


class PreActivationBlock(nn.Module):
    """Norm and ReLU before each convolution, nothing after the sum (1603.05027, figure 1).

    Where shapes change, the projection reads the output of the first norm and ReLU, as in the authors' code.
    """

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.norm1, self.conv1 = nn.BatchNorm2d(inputs), conv3x3(inputs, outputs, stride)
        self.norm2, self.conv2 = nn.BatchNorm2d(outputs), conv3x3(outputs, outputs)
        self.projection = conv1x1(inputs, outputs, stride) if (inputs, stride) != (outputs, 1) else None

    def forward(self, x: Tensor) -> Tensor:
        ready = relu(self.norm1(x))
        skip = x if self.projection is None else self.projection(ready)
        return skip + self.conv2(relu(self.norm2(self.conv1(ready))))
