"""The two blocks of ResNet in plain PyTorch.

Source: He et al. 1512.03385, figure 5. The stride is on the 3×3 convolution of the bottleneck, as in torchvision; the
paper has it on the first 1×1.

State dict: the names of torchvision's and timm's `BasicBlock` and `Bottleneck`.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import relu


class BasicBlock(nn.Module):
    """Two 3×3 convolutions, and a ReLU after the sum.

    Shapes: (batch, inputs, height, width) → (batch, outputs, height / stride, width / stride), rounded up. The skip
    is the identity, or a 1×1 convolution where the shape changes. Any floating dtype, the same for x and the block.
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        stride: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False, device=device, dtype=dtype)
        self.bn1 = nn.BatchNorm2d(outputs, device=device, dtype=dtype)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False, device=device, dtype=dtype)
        self.bn2 = nn.BatchNorm2d(outputs, device=device, dtype=dtype)
        self.downsample = projection(inputs, outputs, stride, device, dtype)

    def forward(self, x: Tensor) -> Tensor:
        branch = relu(self.bn1(self.conv1(x)))
        branch = self.bn2(self.conv2(branch))
        return relu(self.downsample(x) + branch)


class Bottleneck(nn.Module):
    """A 3×3 convolution between two 1×1 that narrow and widen by four, and a ReLU after the sum. Shapes, skip and
    dtypes as in `BasicBlock`. Raises ValueError unless 4 divides `outputs`.
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        stride: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if outputs % 4:
            raise ValueError(f"a bottleneck has a quarter of its outputs, and 4 does not divide {outputs}")
        inner = outputs // 4
        self.conv1 = nn.Conv2d(inputs, inner, 1, bias=False, device=device, dtype=dtype)
        self.bn1 = nn.BatchNorm2d(inner, device=device, dtype=dtype)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride, padding=1, bias=False, device=device, dtype=dtype)
        self.bn2 = nn.BatchNorm2d(inner, device=device, dtype=dtype)
        self.conv3 = nn.Conv2d(inner, outputs, 1, bias=False, device=device, dtype=dtype)
        self.bn3 = nn.BatchNorm2d(outputs, device=device, dtype=dtype)
        self.downsample = projection(inputs, outputs, stride, device, dtype)

    def forward(self, x: Tensor) -> Tensor:
        branch = relu(self.bn1(self.conv1(x)))
        branch = relu(self.bn2(self.conv2(branch)))
        branch = self.bn3(self.conv3(branch))
        return relu(self.downsample(x) + branch)


def projection(
    inputs: int, outputs: int, stride: int, device: torch.device | str | None, dtype: torch.dtype | None
) -> nn.Module:
    """The skip: the identity, or a 1×1 convolution with BatchNorm where the shape changes (option B)."""
    if (inputs, stride) == (outputs, 1):
        return nn.Identity()
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 1, stride, bias=False, device=device, dtype=dtype),
        nn.BatchNorm2d(outputs, device=device, dtype=dtype),
    )
