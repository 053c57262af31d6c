"""The arithmetic of joining (chapter 5's worked examples), held against torch and against its own limits."""

import numpy as np
import pytest
import torch
from torch import nn

from sims.numbers.arithmetic import joins
from sims.pytorch.layers.blocks import Highway


def test_the_worked_example_comes_out_as_printed() -> None:
    x, branch = (1.0, 2.0), (0.3, -0.1)
    assert [joins.added(x=a, branch=b) for a, b in zip(x, branch, strict=True)] == pytest.approx([1.3, 1.9])
    for gates, expected in (
        ((0.7, 0.3), (0.51, 1.37)),
        ((0.5, 0.5), (0.65, 0.95)),
        ((0.1, 0.1), (0.93, 1.79)),
        ((0, 0), x),
        ((1, 1), branch),
    ):
        mixed = [joins.mixed(x=a, branch=b, gate=t) for a, b, t in zip(x, branch, gates, strict=True)]
        assert mixed == pytest.approx(list(expected))


def test_a_mix_is_what_the_highway_block_computes() -> None:
    torch.manual_seed(0)
    block = Highway(nn.Linear(3, 3), 3).double()
    h = torch.randn(5, 3, dtype=torch.float64)
    branch, gate = block.branch(h), torch.sigmoid(block.gate(h))
    mine = [
        joins.mixed(x=a, branch=b, gate=t)
        for a, b, t in zip(*(tensor.flatten().tolist() for tensor in (h, branch, gate)), strict=True)
    ]
    assert mine == pytest.approx(block(h).flatten().tolist(), abs=1e-12)


def test_channels_grow_linearly() -> None:
    widths = [joins.dense_input(start=64, growth=32, layer=layer) for layer in (1, 2, 3, 10, 50)]
    assert widths == [64, 96, 128, 352, 1632]
    assert joins.dense_output(start=64, growth=32, layers=50) == 1664
    stream = torch.zeros(1, 64)
    for layer in range(1, 51):
        assert stream.shape[1] == joins.dense_input(start=64, growth=32, layer=layer)
        stream = torch.cat([stream, torch.zeros(1, 32)], dim=1)


def test_kept_features_grow_with_the_square_only_when_every_prefix_is_copied() -> None:
    copies = [joins.stored(layers=n, shared=False) for n in (10, 20)]
    assert copies == [55, 210]
    assert [joins.stored(layers=n, shared=True) for n in (10, 20)] == [10, 20]


def test_a_highway_layer_costs_what_a_two_layer_branch_costs() -> None:
    def count(module: nn.Module) -> int:
        return sum(parameter.numel() for parameter in module.parameters())

    assert joins.highway_parameters(width=64) == joins.residual_parameters(width=64) == 8320
    assert joins.highway_parameters(width=64) == count(Highway(nn.Linear(64, 64), 64))
    branch = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 256))
    assert joins.residual_parameters(width=256, hidden=512) == count(branch) == 262_912
    assert joins.highway_parameters(width=256) == 131_584


def test_g_12_an_lstm_update_is_a_highway_layer_exactly_where_its_gates_are_coupled() -> None:
    random = np.random.default_rng(0)
    for f, i, before, candidate in random.uniform(0, 1, (50, 4)).tolist():
        update = joins.memory(forget=f, input_gate=i, before=before, candidate=candidate)
        highway = joins.mixed(x=before, branch=candidate, gate=1 - f)
        assert joins.coupled(forget=f, before=before, candidate=candidate) == pytest.approx(highway, abs=1e-12)
        assert (abs(update - highway) < 1e-12) == (abs(i - (1 - f)) * abs(candidate) < 1e-12)
    assert joins.coupled(forget=0.9, before=2, candidate=1) == pytest.approx(1.9)
    assert joins.memory(forget=1, input_gate=1, before=2, candidate=1) == 3
