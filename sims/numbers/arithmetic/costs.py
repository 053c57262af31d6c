"""The cost of a skip connection, calculated by hand: segments, shares, and operations per byte moved."""

import math

from sims.contract.calculation import Number, calculation


@calculation
def live(depth: float, segment: float) -> Number:
    """Number of block inputs in memory at once with a checkpoint every `segment` blocks: one for each segment, and
    those inside the segment that is recomputed, the first of which is its checkpoint (Chen et al. 1604.06174, section
    4.1)."""
    return math.ceil(depth / segment) + segment - 1


@calculation
def relative_update(block: float) -> Number:
    """The size of a branch, 1, over that of the stream before block `block`: an input of size 1 plus the `block`
    branches before it, all independent."""
    return 1 / math.sqrt(block + 1)


@calculation
def work_of_an_addition(size: float = 2) -> Number:
    """Operations per byte moved when two streams are added: one for two numbers read and one written."""
    return 1 / (3 * size)


@calculation
def work_of_a_product(width: float, tokens: float, size: float = 2) -> Number:
    """Operations per byte moved when a stream (tokens, width) is multiplied by a square matrix, if everything is read
    and written once (Williams et al. 2009 call it operational intensity)."""
    moved = size * (2 * tokens * width + width**2)
    return 2 * tokens * width**2 / moved
