"""The program of a slice: it cuts where it says, and a rescaled network has the same slice."""

from functools import partial

import pytest
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


def test_a_direction_is_the_same_in_another_order_in_memory() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(8, 16, 3), nn.Conv2d(16, 4, 3))
    directions = []
    for order in (torch.contiguous_format, torch.channels_last):
        torch.manual_seed(1)
        directions.append(random_direction(model.to(memory_format=order)))
    for usual, other, parameter in zip(*directions, model.parameters(), strict=True):
        torch.testing.assert_close(other, usual)
        if parameter.dim() > 1:
            torch.testing.assert_close(other.flatten(1).norm(dim=1), parameter.flatten(1).norm(dim=1))


def test_gains_of_any_shape_do_not_move() -> None:
    gains = nn.ParameterList([torch.ones(6, 1, 1, 1), torch.ones(6, 1, 1), torch.ones(6), torch.ones(())])
    assert not any(direction.any() for direction in random_direction(gains))


@pytest.mark.parametrize("fails", [False, True])
def test_a_model_with_batch_norm_gets_weights_and_statistics_back(fails: bool) -> None:
    _model, x, labels = network()
    model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3)).double().train()
    model(x)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    calls = 0

    def counted() -> Tensor:
        nonlocal calls
        calls += 1
        if fails and calls == 3:
            raise RuntimeError("no loss")
        return loss(model, x, labels)

    if fails:
        with pytest.raises(RuntimeError, match="no loss"):
            loss_slice(model, counted, points=3)
    else:
        loss_slice(model, counted, points=3)
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())


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
