"""The residual networks of He et al. for CIFAR-10, counted."""

from sims.contract.calculation import calculation

WIDTHS = (16, 32, 64)
"""Channels of the three stages (He et al. 1512.03385, section 4.2)."""


@calculation
def parameters(depth: int, classes: int = 10) -> int:
    """How many numbers the network with `depth` = 6n + 2 layers learns, with shortcuts that have no weights (option A).

    A 3 × 3 convolution from 3 to 16 channels, n blocks of two 3 × 3 convolutions in each of three stages, without
    biases; a gain and a shift per channel behind every convolution; a linear layer at the end. Raises ValueError for a
    depth that is not 6n + 2 with n at least 1.
    """
    blocks, rest = divmod(depth - 2, 6)
    if rest or blocks < 1:
        raise ValueError(f"depth {depth} is not 6n + 2")
    count, channels = 0, 3
    for width, layers in zip((WIDTHS[0], *WIDTHS), (1, *[2 * blocks] * 3), strict=True):
        count += 9 * channels * width + (layers - 1) * 9 * width * width + layers * 2 * width
        channels = width
    return count + channels * classes + classes
