"""The networks of ResNet's CIFAR-10 experiment (He et al. 1512.03385, section 4.2), of any width.

A first 3×3 convolution, three stages of 2n more, a mean over the image, and a linear head: 6n + 2 layers. Each stage
after the first halves the image and doubles the channels. The skips have no weights: where shapes change they take
every second pixel and add channels of zeros, so that a plain and a residual network have the same parameters.
"""

from torch import Tensor, nn
from torch.nn.functional import pad, relu

from sims.pytorch.layers.vision_blocks import conv3x3


class Pair(nn.Module):
    """Two 3×3 convolutions, each with BatchNorm, and a ReLU at the end; with a skip over both, or plain.

    x is (batch, inputs, height, width of the image); with a stride of 2 the output is half as high and half as wide.
    """

    def __init__(self, inputs: int, outputs: int, stride: int, skip: bool) -> None:
        super().__init__()
        self.conv1, self.norm1 = conv3x3(inputs, outputs, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.norm2 = conv3x3(outputs, outputs), nn.BatchNorm2d(outputs)
        self.stride, self.more, self.skip = stride, outputs - inputs, skip

    def forward(self, x: Tensor) -> Tensor:
        branch = relu(self.norm1(self.conv1(x)))
        branch = self.norm2(self.conv2(branch))
        return relu(self.shortcut(x) + branch) if self.skip else relu(branch)

    def shortcut(self, x: Tensor) -> Tensor:
        """The identity; or every second pixel, with channels of zeros appended (option A)."""
        pixels = x[:, :, :: self.stride, :: self.stride]
        return pad(pixels, (0, 0, 0, 0, 0, self.more)) if self.more else pixels


def cifar_shape(depth: int, width: int, skip: bool, channels: int = 3, classes: int = 10) -> nn.Sequential:
    """A network of `depth` layers for images (batch, channels, height, width), with He's initial weights.

    `width` is the number of channels in the first stage, 16 in the paper. Raises ValueError unless the depth is 6n + 2
    with n ≥ 1.
    """
    per_stage, rest = divmod(depth - 2, 6)
    if per_stage < 1 or rest:
        raise ValueError(f"a depth of {depth} is not 6n + 2")
    stages = [width, 2 * width, 4 * width]
    pairs, inputs = [], width
    for stage, outputs in enumerate(stages):
        for place in range(per_stage):
            pairs.append(Pair(inputs, outputs, 2 if stage and not place else 1, skip))
            inputs = outputs
    network = nn.Sequential(
        nn.Sequential(conv3x3(channels, width), nn.BatchNorm2d(width), nn.ReLU()),
        *pairs,
        nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes)),
    )
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight)
    return network
