"""Parameters and multiplications of a convolutional residual network, and what shortcuts with weights add to them."""

from collections.abc import Iterator
from dataclasses import dataclass

BOTTLENECK = 4
"""A bottleneck block outputs this many times the channels of its 3×3 convolution (He et al. 1512.03385, section
4.1)."""


@dataclass(frozen=True)
class Cost:
    """The cost of weights alone; norms and the layers before and after the blocks are left out."""

    parameters: int
    products: int
    """Multiplications, each with an addition, for one image"""


@dataclass(frozen=True)
class Convolution:
    """A convolution on a square image, without a bias."""

    inputs: int
    outputs: int
    size: int
    """Side of the kernel in pixels"""
    side: int
    """Side of the output image in pixels"""

    @property
    def cost(self) -> Cost:
        """Its weights, and the products of one forward pass over one image."""
        parameters = self.inputs * self.outputs * self.size**2
        return Cost(parameters, parameters * self.side**2)


@dataclass(frozen=True)
class Block:
    """The convolutions of a branch, and the one on the shortcut."""

    branch: tuple[Convolution, ...]
    shortcut: Convolution
    changes: bool
    """Whether the output has another shape than the input"""


def blocks(kind: str, per_stage: int, channels: int, side: int, stages: int = 3) -> Iterator[Block]:
    """Yield the blocks of a network in `stages` stages of `per_stage` blocks; every stage but the first halves the side
    and doubles the channels (1512.03385, sections 3.3 and 4.2). `kind`: "basic", two 3×3 convolutions, or "bottleneck".

    The first block gets `channels` channels as input; a bottleneck block outputs four times as many as its 3×3
    convolution has.
    """
    inputs = channels
    for stage in range(stages):
        inner = channels * 2**stage
        outputs = inner * (BOTTLENECK if kind == "bottleneck" else 1)
        if stage:
            side //= 2
        for number in range(per_stage):
            if kind == "bottleneck":
                # The stride is on the first 1×1, as in the paper.
                branch: tuple[Convolution, ...] = (
                    Convolution(inputs, inner, 1, side),
                    Convolution(inner, inner, 3, side),
                    Convolution(inner, outputs, 1, side),
                )
            else:
                branch = (Convolution(inputs, inner, 3, side), Convolution(inner, inner, 3, side))
            halves = stage > 0 and number == 0
            yield Block(branch, Convolution(inputs, outputs, 1, side), halves or inputs != outputs)
            inputs = outputs


OPTIONS = ("A", "B", "C")
"""The options of 1512.03385, section 4.1: A pads with zeros, B projects where the shape changes, C projects
everywhere"""


def total(all_blocks: list[Block], option: str) -> tuple[Cost, Cost]:
    """The cost of all branches, and of all shortcuts under an option. Raises ValueError for another option."""
    if option not in OPTIONS:
        raise ValueError(f"the option is one of {', '.join(OPTIONS)}, not {option!r}")
    projected = [block.shortcut for block in all_blocks if option == "C" or (option == "B" and block.changes)]
    return _sum(layer for block in all_blocks for layer in block.branch), _sum(iter(projected))


def _sum(layers: Iterator[Convolution]) -> Cost:
    costs = [layer.cost for layer in layers]
    return Cost(sum(cost.parameters for cost in costs), sum(cost.products for cost in costs))
