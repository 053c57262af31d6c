"""The readable PyTorch networks: what they count, and what their blocks compute."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from sims.engines.perceptrons.architecture import Architecture, Norm
from sims.engines.perceptrons.layout import make_layout
from sims.pytorch.layers import blocks
from sims.pytorch.models import networks


def parameters(architecture: Architecture) -> int:
    return sum(parameter.numel() for parameter in networks.network(architecture, 5, 3).parameters())


@pytest.mark.parametrize("unit", ["pre-activation", "one-layer", "two-layer", "original"])
@pytest.mark.parametrize("norm", ["none", "batch", "layer"])
def test_a_plain_network_and_its_residual_twin_have_the_same_parameters(unit: str, norm: str) -> None:
    plain, residual = (Architecture(20, 16, skip=skip, unit=unit, norm=norm) for skip in ("none", "additive"))
    shapes = [
        [parameter.shape for parameter in networks.network(architecture, 5, 3).parameters()]
        for architecture in (plain, residual)
    ]
    assert shapes[0] == shapes[1]
    assert parameters(plain) == make_layout(plain, 5, 3).size == make_layout(residual, 5, 3).size


@pytest.mark.parametrize("skip", ["none", "additive", "rezero", "highway", "dense"])
def test_the_layout_counts_the_parameters(skip: str) -> None:
    architecture = Architecture(7, 16, skip=skip, norm="pre-layer", growth=5)
    assert parameters(architecture) == make_layout(architecture, 5, 3).size


@pytest.mark.parametrize(("unit", "depth"), [("one-layer", 9), ("two-layer", 8), ("original", 56)])
def test_depth_counts_the_linear_layers_as_he_et_al_do(unit: str, depth: int) -> None:
    model = networks.network(Architecture(depth, 8, unit=unit), 5, 3)
    assert sum(isinstance(module, nn.Linear) for module in model.modules()) == depth


class Double(nn.Module):
    def forward(self, h: Tensor) -> Tensor:
        return 2 * h


H = torch.tensor([[1.0, -3.0]])


@pytest.mark.parametrize("norm", ["none", "batch", "layer"])
def test_without_a_skip_pre_activation_is_the_usual_order_of_layers(norm: Norm) -> None:
    usual = Architecture(6, 8, skip="none", unit="one-layer", norm=norm)
    first = replace(usual, unit="pre-activation")
    one, other = networks.network(first, 5, 3), networks.network(usual, 5, 3)
    vector_to_parameters(parameters_to_vector(networks.ordered_parameters(one)), networks.ordered_parameters(other))
    points = torch.randn(20, 5, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(one(points), other(points))


def test_blocks_join_their_branch_with_the_stream() -> None:
    assert blocks.Plain(Double())(H).tolist() == [[2, -6]]
    assert blocks.Residual(Double())(H).tolist() == [[3, -9]]
    assert blocks.Residual(Double(), factor=0.5)(H).tolist() == [[2, -6]]
    assert blocks.Dense(Double())(H).tolist() == [[1, -3, 2, -6]]
    assert blocks.ReZero(Double())(H).tolist() == [[1, -3]]


def test_a_highway_block_opens_its_gate() -> None:
    block = blocks.Highway(Double(), 2, gate_bias=0.0)
    nn.init.zeros_(block.gate.weight)
    assert block(H).tolist() == [[1.5, -4.5]]
    nn.init.constant_(block.gate.bias, -50)
    assert block(H).tolist() == [[1, -3]]
    nn.init.constant_(block.gate.bias, 50)
    assert block(H).tolist() == [[2, -6]]


def test_the_original_unit_is_relu_of_the_sum() -> None:
    architecture = Architecture(depth=4, width=2, unit="original")
    unit = networks.block(architecture, 0)
    for module in unit.modules():
        if isinstance(module, nn.Linear):
            nn.init.eye_(module.weight)
            nn.init.zeros_(module.bias)
    assert unit(torch.tensor([[1.0, -3.0]])).tolist() == [[2, 0]]


def test_batch_norm_uses_the_batch_statistics_for_predictions_too() -> None:
    norm = blocks.BatchNorm(1).eval()
    assert norm(torch.tensor([[1.0], [3.0]])).flatten().tolist() == pytest.approx([-1, 1], abs=1e-4)
