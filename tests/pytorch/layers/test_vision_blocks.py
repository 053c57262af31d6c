"""The convolutional blocks, against the same computation written with torch's functions, and their known sizes."""

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from sims.pytorch.layers.vision_blocks import BasicBlock, BottleneckBlock, PreActivationBlock


def normalized(x: torch.Tensor) -> torch.Tensor:
    return F.batch_norm(x, None, None, training=True)


@pytest.mark.parametrize("stride", [1, 2])
def test_the_basic_block_is_conv_norm_relu_conv_norm_add_relu(stride: int) -> None:
    torch.manual_seed(0)
    outputs = 4 * stride
    block, x = BasicBlock(4, outputs, stride).double(), torch.randn(3, 4, 7, 7, dtype=torch.float64)
    branch = F.relu(normalized(F.conv2d(x, block.conv1.weight, stride=stride, padding=1)))
    branch = normalized(F.conv2d(branch, block.conv2.weight, padding=1))
    skip = x if stride == 1 else normalized(F.conv2d(x, block.shortcut[0].weight, stride=2))
    torch.testing.assert_close(block(x), F.relu(skip + branch), rtol=0, atol=1e-12)


def test_the_pre_activation_block_leaves_the_stream_alone() -> None:
    torch.manual_seed(1)
    block, x = PreActivationBlock(4, 4).double(), torch.randn(3, 4, 6, 6, dtype=torch.float64)
    branch = F.conv2d(F.relu(normalized(x)), block.conv1.weight, padding=1)
    branch = F.conv2d(F.relu(normalized(branch)), block.conv2.weight, padding=1)
    torch.testing.assert_close(block(x), x + branch, rtol=0, atol=1e-12)


def test_where_shapes_change_the_pre_activation_block_projects_what_is_normalized_already() -> None:
    """As fb.resnet.torch (`both_preact`), Keras and timm do: the skip begins behind the first norm and ReLU."""
    torch.manual_seed(1)
    block, x = PreActivationBlock(4, 8, 2).double(), torch.randn(3, 4, 6, 6, dtype=torch.float64)
    ready = F.relu(normalized(x))
    branch = F.conv2d(ready, block.conv1.weight, stride=2, padding=1)
    branch = F.conv2d(F.relu(normalized(branch)), block.conv2.weight, padding=1)
    assert block.projection is not None
    skip = F.conv2d(ready, block.projection.weight, stride=2)
    torch.testing.assert_close(block(x), skip + branch, rtol=0, atol=1e-12)


def test_a_skip_between_equal_shapes_has_no_parameters() -> None:
    for block in (BasicBlock(4, 4), BottleneckBlock(8, 8)):
        assert not list(block.shortcut.parameters())
    assert PreActivationBlock(4, 4).projection is None


def test_e_06_zero_last_convolutions_make_only_the_pre_activation_block_a_copy() -> None:
    x = torch.randn(2, 4, 5, 5, generator=torch.Generator().manual_seed(0))
    original, later = BasicBlock(4, 4), PreActivationBlock(4, 4)
    assert (original(x) >= 0).all()
    assert (later(x) < 0).any()
    torch.nn.init.zeros_(original.conv2.weight)
    torch.nn.init.zeros_(later.conv2.weight)
    assert torch.equal(later(x), x)
    assert torch.equal(original(x), torch.relu(x))


def test_the_bottleneck_narrows_by_four() -> None:
    block = BottleneckBlock(256, 256)
    assert [tuple(layer.weight.shape) for layer in (block.conv1, block.conv2, block.conv3)] == [
        (64, 256, 1, 1),
        (64, 64, 3, 3),
        (256, 64, 1, 1),
    ]
    assert sum(parameter.numel() for parameter in block.parameters()) == 70_400  # layer1.1 of torchvision's ResNet-50
    assert sum(parameter.numel() for parameter in BottleneckBlock(256, 512, 2).parameters()) == 379_392  # its layer2.0
