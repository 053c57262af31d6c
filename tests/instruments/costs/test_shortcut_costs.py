"""Counts of parameters and products against PyTorch's own layers and its counter of operations."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from sims.instruments.costs.shortcut_costs import OPTIONS, Convolution, blocks, total
from sims.pytorch.layers.vision_blocks import BasicBlock


def counted(layer, side_in):
    """Parameters of one convolution, and its products as PyTorch counts them: two operations each."""
    conv = nn.Conv2d(layer.inputs, layer.outputs, layer.size, side_in // layer.side, layer.size // 2, bias=False)
    with FlopCounterMode(display=False) as counter:
        out = conv(torch.zeros(1, layer.inputs, side_in, side_in))
    assert out.shape[1:] == (layer.outputs, layer.side, layer.side)
    return sum(parameter.numel() for parameter in conv.parameters()), counter.get_total_flops() // 2


@pytest.mark.parametrize("kind", ["basic", "bottleneck"])
def test_every_convolution_costs_what_pytorch_counts(kind):
    side = 16
    for block in blocks(kind, 2, 8, 16):
        input_side = side
        for layer in block.branch:
            assert (layer.cost.parameters, layer.cost.products) == counted(layer, side)
            side = layer.side
        assert (block.shortcut.cost.parameters, block.shortcut.cost.products) == counted(block.shortcut, input_side)


def test_option_b_is_what_the_blocks_to_copy_have():
    plan = list(blocks("basic", 2, 8, 16))
    network = [BasicBlock(8, 8), BasicBlock(8, 8), BasicBlock(8, 16, 2), BasicBlock(16, 16)]
    network += [BasicBlock(16, 32, 2), BasicBlock(32, 32)]
    weights = sum(m.weight.numel() for block in network for m in block.modules() if isinstance(m, nn.Conv2d))
    branch, shortcut = total(plan, "B")
    assert branch.parameters + shortcut.parameters == weights


def test_wd_3_one_projection_from_64_to_128_channels():
    """WD.3: 8,192 weights beside the 221,184 of the branch."""
    block = list(blocks("basic", 1, 64, 56))[1]
    assert block.shortcut == Convolution(64, 128, 1, 28)
    assert block.shortcut.cost.parameters == 8_192
    assert sum(layer.cost.parameters for layer in block.branch) == 221_184


def test_a_pads_and_another_option_is_refused():
    plan = list(blocks("basic", 1, 8, 16))
    assert total(plan, "A")[1].parameters == 0
    assert [total(plan, option)[0] for option in OPTIONS] == [total(plan, "A")[0]] * 3
    with pytest.raises(ValueError, match="one of A, B, C"):
        total(plan, "D")
