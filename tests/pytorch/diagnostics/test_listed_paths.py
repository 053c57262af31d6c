"""The listing of all paths is the Jacobian of the chain."""

import torch
from torch import nn

from sims.pytorch.diagnostics.listed_paths import listed_paths
from sims.pytorch.layers.blocks import FeedForward, Residual


def test_b_13_all_listed_paths_add_up_to_the_jacobian_of_the_network() -> None:
    torch.manual_seed(0)
    branches = [FeedForward(5, 7).double() for _ in range(6)]
    x = torch.randn(5, dtype=torch.float64)
    paths = listed_paths(branches, x)
    assert len(paths) == 2**6
    whole = torch.func.jacrev(nn.Sequential(*map(Residual, branches)))(x)
    torch.testing.assert_close(sum(paths.values()), whole, rtol=0, atol=1e-13)


def test_the_direct_path_is_the_identity_and_the_longest_is_all_that_a_plain_chain_would_have() -> None:
    torch.manual_seed(0)
    branches = [nn.Linear(4, 4).double() for _ in range(3)]
    paths = listed_paths(branches, torch.randn(4, dtype=torch.float64))
    assert torch.equal(paths[False, False, False], torch.eye(4, dtype=torch.float64))
    first, second, third = (branch.weight.detach() for branch in branches)
    torch.testing.assert_close(paths[True, True, True].detach(), third @ second @ first)
    torch.testing.assert_close(paths[True, False, True].detach(), third @ first)
