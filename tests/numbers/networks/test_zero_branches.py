"""Zeroed branches: a residual stack returns its input bit for bit, a plain one returns nothing."""

import torch

from sims.numbers.networks.zero_branches import check, stack


def test_e_02_fifty_blocks() -> None:
    assert check(blocks=50, width=64) == (True, 0.0)


def test_one_number_off_zero_and_the_copy_is_gone() -> None:
    model, x = stack(3, 8, skip=True), torch.ones(2, 8)
    torch.nn.init.constant_(model[1].branch[2].bias, 1e-3)
    assert not torch.equal(model(x), x)
