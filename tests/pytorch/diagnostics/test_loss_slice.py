"""The program of a slice: it cuts where it says, and a rescaled network has the same slice."""

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from sims.pytorch.diagnostics.loss_slice import loss_slice, random_direction


def network() -> tuple[nn.Module, Tensor, Tensor]:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)).double()
    return model, torch.randn(20, 6, dtype=torch.float64), torch.randint(3, (20,))


def test_the_middle_is_the_model_and_the_model_is_left_as_it_was() -> None:
    model, x, labels = network()
    before = [parameter.clone() for parameter in model.parameters()]
    heights = loss_slice(model, partial(loss, model, x, labels), points=5)
    assert heights.shape == (5, 5)
    torch.testing.assert_close(heights[2, 2], cross_entropy(model(x), labels).float())
    assert all(torch.equal(one, other) for one, other in zip(before, model.parameters(), strict=True))


def test_a_direction_has_rows_as_long_as_the_weights_and_leaves_biases() -> None:
    model, _x, _labels = network()
    for direction, parameter in zip(random_direction(model), model.parameters(), strict=True):
        if parameter.dim() > 1:
            torch.testing.assert_close(direction.norm(dim=1), parameter.norm(dim=1))
        else:
            assert not direction.any()


def test_d_09_a_rescaled_network_has_the_same_slice() -> None:
    """D-09: ten times the weights in front of a ReLU, a tenth behind it: the same function, and the same picture."""
    slices = []
    for factor in (1.0, 10.0):
        model, x, labels = network()
        with torch.no_grad():
            model[0].weight.mul_(factor)
            model[0].bias.mul_(factor)
            model[2].weight.div_(factor)
        torch.manual_seed(1)
        slices.append(loss_slice(model, partial(loss, model, x, labels), points=5))
    torch.testing.assert_close(*slices)


def loss(model: nn.Module, x: Tensor, labels: Tensor) -> Tensor:
    return cross_entropy(model(x), labels)
