"""The parts of each block of `sims.pytorch.layers.vision_blocks`, as plain numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from sims.builder.parts import BRANCH, LINEAR, NORM, STREAM, Drawing, Part, addition, function


@dataclass(frozen=True)
class ImageSizes:
    """The sizes of a convolutional block: channels and side of its input, and whether it halves the side."""

    channels: int
    side: int
    halves: bool

    @property
    def outputs(self) -> int:
        return self.channels * (2 if self.halves else 1)

    @property
    def out_side(self) -> int:
        """The side of the output; a convolution of stride 2 rounds up."""
        return -(-self.side // 2) if self.halves else self.side


def _conv(name: str, inputs: int, outputs: int, kernel: int, side: int, module: str, lane: str = BRANCH) -> Part:
    weights = inputs * outputs * kernel**2
    return Part(
        name, LINEAR, lane, (outputs, side, side), parameters=weights, operations=2 * weights * side**2, module=module
    )


def _batch_norm(channels: int, side: int, module: str, lane: str = BRANCH) -> Part:
    return Part("BatchNorm", NORM, lane, (channels, side, side), parameters=2 * channels, module=module)


def _projected(drawing: Drawing, s: ImageSizes, source: int, module: str) -> int:
    """Add the skip of a block that changes shapes: a 1×1 convolution of the output of part `source`."""
    return drawing.put(_conv("1×1", s.channels, s.outputs, 1, s.out_side, module, STREAM), source)


def _convolutions(drawing: Drawing, layers: Sequence[tuple[str, int, int, int, int]]) -> int:
    """Add convolutions of (name, kernel, inputs, outputs, side), each with its BatchNorm, and ReLUs between them."""
    at = 0
    for number, (name, kernel, inputs, outputs, side) in enumerate(layers, 1):
        at = drawing.put(_conv(name, inputs, outputs, kernel, side, f"conv{number}"), at)
        at = drawing.put(_batch_norm(outputs, side, f"norm{number}"), at)
        if number < len(layers):
            at = drawing.put(function("ReLU", (outputs, side, side)), at)
    return at


def _joined(drawing: Drawing, s: ImageSizes, end: int) -> list[Part]:
    shape = (s.outputs, s.out_side, s.out_side)
    skip = 0
    if s.halves:
        skip = _projected(drawing, s, 0, "shortcut.0")
        skip = drawing.put(_batch_norm(s.outputs, s.out_side, "shortcut.1", STREAM), skip)
    total = drawing.put(addition(shape), skip, end)
    drawing.put(function("ReLU", shape, lane=STREAM), total)
    return drawing.parts


def basic(s: ImageSizes) -> list[Part]:
    """Two 3×3 convolutions."""
    drawing = Drawing((s.channels, s.side, s.side))
    names = ("3×3, stride 2" if s.halves else "3×3", "3×3")
    layers = [(names[0], 3, s.channels, s.outputs, s.out_side), (names[1], 3, s.outputs, s.outputs, s.out_side)]
    return _joined(drawing, s, _convolutions(drawing, layers))


def bottleneck(s: ImageSizes) -> list[Part]:
    """1×1, 3×3, 1×1; the middle has a quarter of the outputs' channels."""
    drawing, inner = Drawing((s.channels, s.side, s.side)), s.outputs // 4
    layers = [
        ("1×1, narrow", 1, s.channels, inner, s.side),
        ("3×3, stride 2" if s.halves else "3×3", 3, inner, inner, s.out_side),
        ("1×1, widen", 1, inner, s.outputs, s.out_side),
    ]
    return _joined(drawing, s, _convolutions(drawing, layers))


def pre_activation(s: ImageSizes) -> list[Part]:
    """BatchNorm and ReLU before each of two 3×3 convolutions.

    If shapes change, the skip starts after the first BatchNorm and ReLU, so these are on the stream.
    """
    shape, drawing = (s.outputs, s.out_side, s.out_side), Drawing((s.channels, s.side, s.side))
    lane = STREAM if s.halves else BRANCH
    at = drawing.put(_batch_norm(s.channels, s.side, "norm1", lane), 0)
    ready = at = drawing.put(function("ReLU", (s.channels, s.side, s.side), lane=lane), at)
    at = drawing.put(_conv("3×3, stride 2" if s.halves else "3×3", s.channels, s.outputs, 3, s.out_side, "conv1"), at)
    at = drawing.put(_batch_norm(s.outputs, s.out_side, "norm2"), at)
    at = drawing.put(function("ReLU", shape), at)
    at = drawing.put(_conv("3×3", s.outputs, s.outputs, 3, s.out_side, "conv2"), at)
    drawing.put(addition(shape), _projected(drawing, s, ready, "projection") if s.halves else 0, at)
    return drawing.parts
