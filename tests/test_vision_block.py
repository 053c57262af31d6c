"""The two blocks for images: what stands on the stream, and that the skip has no parameters."""

import torch

from sims.vision_block import OriginalBlock, PreActivationBlock


def images() -> torch.Tensor:
    return torch.randn(2, 4, 5, 5, generator=torch.Generator().manual_seed(0))


def parameters(model: torch.nn.Module) -> int:
    return sum(each.numel() for each in model.parameters())


def test_the_skip_has_no_parameters() -> None:
    assert parameters(OriginalBlock(4)) == parameters(OriginalBlock(4, skip=False)) == parameters(PreActivationBlock(4))


def test_the_original_block_has_a_relu_on_the_stream_and_its_successor_has_not() -> None:
    assert (OriginalBlock(4)(images()) >= 0).all()
    assert (PreActivationBlock(4)(images()) < 0).any()


def test_e_06_zero_last_convolutions_make_only_the_pre_activation_block_a_copy() -> None:
    x = images()
    original, later = OriginalBlock(4), PreActivationBlock(4)
    torch.nn.init.zeros_(original.branch[3].weight)
    torch.nn.init.zeros_(later.branch[5].weight)
    assert torch.equal(later(x), x)
    assert torch.equal(original(x), torch.relu(x))
