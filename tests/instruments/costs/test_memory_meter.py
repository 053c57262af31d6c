"""The meter against what can be counted by hand, and against another way of asking autograd."""

import pytest
import torch
from torch import nn

from sims.instruments.costs.memory_meter import watch
from sims.pytorch.diagnostics.checks import saved_bytes
from sims.pytorch.layers.blocks import Plain, Residual
from sims.pytorch.stacks.memory_stacks import branch, stack

WIDTH, POINTS = 8, 3
COPY = WIDTH * POINTS * 4


def test_every_rise_and_fall_of_two_blocks_is_as_counted_by_hand():
    """Each Linear saves what enters it, and the ReLU its result, which the second Linear shares; the input is free."""
    branches = [branch(WIDTH) for _ in range(2)]
    model = nn.Sequential(*map(Residual, branches))
    watched = watch(model, branches, torch.randn(POINTS, WIDTH))
    assert (watched.held / COPY).tolist() == [1, 3, 3, 3, 1]
    assert watched.references == 5 * COPY
    assert (watched.at_the_turn, watched.peak) == (3 * COPY, 3 * COPY)


@pytest.mark.parametrize("around", [Plain, Residual])
def test_the_turn_holds_what_a_forward_pass_saves(around):
    branches = [branch(WIDTH) for _ in range(5)]
    model = nn.Sequential(*map(around, branches))
    x = torch.randn(POINTS, WIDTH)
    assert watch(model, branches, x).at_the_turn == saved_bytes(model, x)


def test_the_memory_of_wd_1():
    """WD.1: four blocks of width 256 for 512 points make 1,572,864 bytes of saved references a block."""
    model = stack("residual", 4, 256, 16, 2)
    x = torch.randn(512, 256)
    assert watch(model, model.branches, x).references + x.nbytes == 4 * 1_572_864 == 6_291_456


def test_a_watched_model_is_left_as_it_was():
    model = stack("residual", 2, WIDTH, 2, 1)
    watch(model, model.branches, torch.randn(POINTS, WIDTH))
    assert all(parameter.grad is None for parameter in model.parameters())
    assert not any(branch._forward_hooks or branch._forward_pre_hooks for branch in model.branches)
