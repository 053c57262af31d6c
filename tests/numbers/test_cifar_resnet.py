"""The counts that a widely used implementation of these networks prints (akamaster/pytorch_resnet_cifar10)."""

import pytest

from sims.numbers import cifar_resnet


@pytest.mark.parametrize(
    ("depth", "count"),
    [(20, 269_722), (32, 464_154), (44, 658_586), (56, 853_018), (110, 1_727_962), (1202, 19_421_274)],
)
def test_the_networks_have_as_many_parameters_as_theirs(depth: int, count: int) -> None:
    assert cifar_resnet.parameters(depth=depth) == count


@pytest.mark.parametrize("depth", [2, 18, 57])
def test_a_depth_between_two_networks_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="6n"):
        cifar_resnet.parameters(depth=depth)
