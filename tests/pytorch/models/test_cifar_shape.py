"""The CIFAR shape: layers, parameters and shapes as the paper has them, and a block against torch's own layers."""

import pytest
import torch
from torch import nn
from torch.nn.functional import relu

from sims.pytorch.layers.vision_blocks import BasicBlock
from sims.pytorch.models.cifar_shape import Pair, cifar_shape


@pytest.mark.parametrize(("depth", "millions"), [(20, 0.27), (32, 0.46), (44, 0.66), (56, 0.85), (110, 1.7)])
def test_the_parameters_are_the_paper_s(depth: int, millions: float) -> None:
    """Table 6 of 1512.03385."""
    network = cifar_shape(depth, 16, skip=True)
    count = sum(parameter.numel() for parameter in network.parameters())
    assert count / 1e6 == pytest.approx(millions, abs=0.06 if depth == 110 else 0.006)
    assert sum(isinstance(module, nn.Conv2d | nn.Linear) for module in network.modules()) == depth


def test_plain_and_residual_start_from_the_same_weights() -> None:
    pair = []
    for skip in (False, True):
        torch.manual_seed(3)
        pair.append(cifar_shape(20, 4, skip, channels=1).state_dict())
    assert list(pair[0]) == list(pair[1])
    assert all(torch.equal(pair[0][name], pair[1][name]) for name in pair[0])


def test_the_stages_halve_the_image_and_double_the_channels() -> None:
    network = cifar_shape(14, 4, skip=True, channels=1)
    x, shapes = torch.randn(2, 1, 8, 8), []
    for layer in network[:-1]:
        x = layer(x)
        shapes.append(tuple(x.shape[1:]))
    assert shapes == [(4, 8, 8)] * 3 + [(8, 4, 4)] * 2 + [(16, 2, 2)] * 2
    assert network[-1](x).shape == (2, 10)


def test_a_pair_with_a_skip_is_the_basic_block_where_shapes_stay() -> None:
    torch.manual_seed(0)
    ours, theirs = Pair(4, 4, 1, skip=True), BasicBlock(4, 4)
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(3, 4, 8, 8)
    torch.testing.assert_close(ours(x), theirs(x))


def test_where_shapes_change_the_shortcut_takes_every_second_pixel_and_adds_channels_of_zeros() -> None:
    pair, x = Pair(4, 8, 2, skip=True), torch.randn(3, 4, 8, 8)
    short = pair.shortcut(x)
    assert torch.equal(short[:, :4], x[:, :, ::2, ::2])
    assert not short[:, 4:].any()
    plain = Pair(4, 8, 2, skip=False)
    plain.load_state_dict(pair.state_dict())
    branch = pair.norm2(pair.conv2(relu(pair.norm1(pair.conv1(x)))))
    torch.testing.assert_close(plain(x), relu(branch))
    torch.testing.assert_close(pair(x), relu(branch + short))


@pytest.mark.parametrize("depth", [2, 9, 21])
def test_other_depths_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="6n"):
        cifar_shape(depth, 4, skip=True)
