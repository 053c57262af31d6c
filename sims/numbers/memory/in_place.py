"""What a stack keeps for the backward pass if its sums are written in place; measured as in the figure `memory`."""

from sims.contract.calculation import Number, calculation
from sims.instruments.costs.memory_meter import watch

WIDTH, POINTS = 64, 128
"""As in the figure"""


@calculation(long=True)
def kilobytes(depth: int = 36) -> Number:
    """Thousands of bytes kept between the forward and the backward pass of a stack of blocks Linear, ReLU, Linear,
    whose sums overwrite the branches' outputs."""
    import torch

    from sims.pytorch.layers.in_place_sums import InPlaceSum
    from sims.pytorch.stacks.memory_stacks import Stack, branch

    branches = [branch(WIDTH) for _ in range(depth)]
    stack = Stack([InPlaceSum(module) for module in branches], [*branches])
    return watch(stack, branches, torch.randn(POINTS, WIDTH)).at_the_turn / 1e3
