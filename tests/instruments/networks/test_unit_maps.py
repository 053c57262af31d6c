"""The maps of units are the values that a pass through the network has at every layer."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.utils import vector_to_parameters

from sims.data.datasets import source
from sims.data.input_features import FUNCTIONS, with_features
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, layer_values, predict, start
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.networks.decision_map import grid
from sims.instruments.networks.unit_maps import BROKEN, FEATURE_SIDE, MOST, REST, SIDE, feature_maps, unit_maps
from sims.pytorch.models.networks import network, ordered_parameters


def trained(**choices: Any) -> TrainingState:
    return advance(start(Architecture(6, 16, **choices), Recipe("adam", 0.01, 64), source("spirals"), (3, 4)), 20)


@pytest.mark.parametrize("norm", ["none", "pre-layer"])
@pytest.mark.parametrize(("skip", "growth"), [("none", 5), ("additive", 5), ("dense", 5), ("dense", 20)])
def test_values_where_the_activation_comes_first_lead_to_the_answers(skip: str, growth: int, norm: str) -> None:
    """What each layer reads, in the network that torch computes."""
    state, points = trained(skip=skip, norm=norm, growth=growth), grid(2.0, 5)
    model = network(state.architecture, 2, 2)
    vector_to_parameters(torch.tensor(state.parameters[-1]), ordered_parameters(model))
    read: list[np.ndarray] = []
    for layer in [module for module in model.modules() if isinstance(module, torch.nn.Linear)][1:]:
        layer.register_forward_pre_hook(lambda _layer, inputs: read.append(inputs[0].detach().numpy().T))
    model(torch.tensor(points.astype(np.float32)))
    starts = [0, *(16 + growth * block for block in range(4))] if skip == "dense" else [0] * 5
    units = min(growth, 16) if skip == "dense" else 16
    expected = np.stack([rows[start : start + units] for rows, start in zip(read, starts, strict=True)])
    assert layer_values(state, points) == pytest.approx(expected, abs=1e-4)


def test_layers_with_dropout_on_the_skip_are_refused() -> None:
    state = trained(skip="dropout", dropped=0.25, unit="one-layer")
    with pytest.raises(ValueError, match="dropout on its skip"):
        layer_values(state, grid(2.0, 5))


@pytest.mark.parametrize("skip", ["none", "additive"])
def test_values_of_layers_follow_from_each_other_and_lead_to_the_answers(skip: str) -> None:
    state, points = trained(skip=skip, unit="one-layer"), grid(2.0, 5)
    values = layer_values(state, points)
    assert values.shape == (5, 16, 25)
    layers = make_layout(state.architecture, 2, 2).layers
    numbers = state.parameters[-1]

    def applied(layer: int, inputs: np.ndarray) -> np.ndarray:
        return np.asarray(layers[layer].weights(numbers) @ inputs + layers[layer].biases(numbers)[:, None])

    stream = np.maximum(applied(0, points.T), 0)
    assert values[0] == pytest.approx(stream, abs=1e-5)
    for layer in range(1, 5):
        branch = np.maximum(applied(layer, stream), 0)
        assert values[layer] == pytest.approx(branch, abs=1e-4)
        stream = branch if skip == "none" else stream + branch
    assert pytest.approx(predict(state, points)[-1], abs=1e-3) == applied(5, stream).T


@pytest.mark.parametrize(("choices", "units"), [({}, 9), ({"skip": "dense"}, 8), ({"norm": "batch"}, 9)])
def test_a_byte_is_a_share_of_the_units_largest_value(choices: dict[str, Any], units: int) -> None:
    state = trained(**choices)
    maps = unit_maps(state, 2.0)
    assert maps.shape == (5, units, SIDE, SIDE)
    assert units <= MOST
    assert maps.dtype == np.uint8
    assert (maps >= REST).all()
    largest = maps.reshape(5, units, -1).max(axis=2)
    assert set(np.unique(largest)) <= {REST, 255}
    assert (largest == 255).any()


def test_signs_and_what_is_no_number_are_distinguished() -> None:
    state = trained(activation="tanh")
    assert unit_maps(state, 2.0).min() < REST
    state.parameters.setflags(write=True)
    state.parameters[0] = np.nan
    assert (unit_maps(state, 2.0) == BROKEN).all()


def test_what_is_fed_has_a_map_over_the_same_plane() -> None:
    maps = dict(zip(FUNCTIONS, feature_maps(2.0).astype(int), strict=True))
    assert maps["x1"].shape == (FEATURE_SIDE, FEATURE_SIDE)
    assert (np.diff(maps["x1"], axis=1) > 0).all()
    assert (np.diff(maps["x2"], axis=0) > 0).all()
    assert maps["x1"].min() == REST - 127
    assert (maps["x1_squared"] > REST).all()
    assert np.abs(maps["product"] - maps["product"].T).max() == 0
    assert ((maps["sine_x1"][0, :-1] < REST) != (maps["sine_x1"][0, 1:] < REST)).sum() == 3


def test_units_are_asked_about_what_they_are_fed() -> None:
    """A network that is fed x₂ and nothing else computes the same along every row of the plane."""
    recipe, task = Recipe("adam", 0.01, 64), with_features(source("spirals"), ["x2"])
    state = advance(start(Architecture(6, 16), recipe, task, (3,)), 20)
    maps = unit_maps(state, 2.0)
    assert (maps == maps[..., :1]).all()
    assert (maps != maps[..., :1, :]).any()
