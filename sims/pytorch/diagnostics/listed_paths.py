"""Every path through a chain of residual blocks, computed one by one: 2^L products, to verify the sum formula."""

from collections.abc import Sequence
from itertools import product

import torch
from torch import Tensor, nn


def listed_paths(branches: Sequence[nn.Module], x: Tensor) -> dict[tuple[bool, ...], Tensor]:
    """The term that each path adds to the Jacobian of x ← x + F(x), block after block, at a single point x of shape
    (width,).

    A path is named by the branches it goes through, first block first (He et al. 1603.05027, section 2).
    """
    jacobians = []
    for branch in branches:
        jacobians.append(torch.func.jacrev(branch)(x))  # at this block's own input
        x = x + branch(x)
    paths = {}
    for through in product((False, True), repeat=len(jacobians)):
        path = torch.eye(len(x), dtype=x.dtype)
        for jacobian, uses_branch in zip(jacobians, through, strict=True):
            path = jacobian @ path if uses_branch else path  # the later block is on the left
        paths[through] = path
    return paths
