"""Initial weights: the distributions they are said to have."""

from typing import Any

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.perceptrons import Recipe, predict, start
from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.initialization import initial_parameters
from sims.engines.perceptrons.layout import make_layout

WIDTH, INPUTS, OUTPUTS = 96, 40, 10


def initial_layers(seed: int = 0, **choices: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of every layer, stem to head."""
    architecture = Architecture(**{"depth": 6, "width": WIDTH, "unit": "two-layer", **choices})
    layout = make_layout(architecture, INPUTS, OUTPUTS)
    vector = initial_parameters(architecture, layout, seed)
    return [
        (
            vector[layer.weight : layer.weight + layer.rows * layer.columns].reshape(layer.rows, layer.columns),
            vector[layer.bias : layer.end],
        )
        for layer in layout.layers
    ]


def test_default_weights_and_biases_are_uniform_as_in_torch() -> None:
    for weight, bias in initial_layers(initialization="default"):
        bound = weight.shape[1] ** -0.5
        assert np.abs(np.concatenate([weight.ravel(), bias])).max() <= bound
        assert weight.std() == pytest.approx(bound / np.sqrt(3), rel=0.1)
        assert bias.any()


@pytest.mark.parametrize(
    ("initialization", "variance"),
    [("he", lambda rows, columns: 2 / columns), ("xavier", lambda rows, columns: 2 / (rows + columns))],
)
def test_normal_weights_have_their_variance_and_no_bias(initialization: str, variance: Any) -> None:
    for weight, bias in initial_layers(initialization=initialization):
        assert weight.var() == pytest.approx(variance(*weight.shape), rel=0.15)
        assert not bias.any()


@pytest.mark.parametrize(("activation", "gain"), [("relu", 2.0), ("tanh", 1.0)])
def test_orthogonal_weights_keep_lengths_up_to_their_gain(activation: str, gain: float) -> None:
    for weight, bias in initial_layers(initialization="orthogonal", activation=activation):
        short = weight if weight.shape[0] <= weight.shape[1] else weight.T
        np.testing.assert_allclose(short @ short.T, gain * np.eye(len(short)), atol=1e-12)
        assert not bias.any()


def test_zero_last_zeroes_the_last_layer_of_each_branch_only() -> None:
    zero = [not weight.any() for weight, _ in initial_layers(initialization="zero-last")]
    assert zero == [False, False, True, False, True, False]


def test_uniform_weights_are_those_of_tensorflow_playground() -> None:
    for weight, bias in initial_layers(initialization="uniform"):
        assert 0.45 < np.abs(weight).max() <= 0.5
        assert set(bias.tolist()) == {0.1}


def test_a_plain_looks_linear_network_starts_as_a_linear_map() -> None:
    architecture = Architecture(20, 24, skip="none", initialization="looks-linear")
    state = start(architecture, Recipe(), "teacher", (0, 1))
    points = source("teacher").load().test_inputs[:50]
    forward, back, double = (predict(state, inputs) for inputs in (points, -points, 2 * points))
    assert np.abs(forward).mean() > 0.1
    np.testing.assert_allclose(forward, -back, atol=1e-5)
    np.testing.assert_allclose(2 * forward, double, atol=1e-5)
    np.testing.assert_allclose(forward[:, 0] + forward[:, 1], predict(state, points[:1] + points[1:2])[:, 0], atol=1e-5)


@pytest.mark.parametrize("skip", ["additive", "rezero", "highway"])
@pytest.mark.parametrize("initialization", ["default", "he", "orthogonal"])
def test_the_same_seed_gives_twins_the_same_layers(skip: str, initialization: str) -> None:
    ours, theirs = (initial_layers(seed=5, skip=kind, initialization=initialization) for kind in ("none", skip))
    for (one, its_bias), (other, other_bias) in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(its_bias, other_bias)


def test_seeds_differ() -> None:
    assert not np.array_equal(initial_layers(seed=0)[0][0], initial_layers(seed=1)[0][0])


def test_highway_gates_start_at_their_bias_and_rezero_factors_at_zero() -> None:
    highway = Architecture(5, skip="highway", gate_bias=-3.0)
    layout = make_layout(highway, INPUTS, OUTPUTS)
    vector = initial_parameters(highway, layout, 0)
    assert all(set(vector[gate.bias : gate.end].tolist()) == {-3.0} for gate in layout.gates)
    rezero = Architecture(5, skip="rezero")
    layout = make_layout(rezero, INPUTS, OUTPUTS)
    assert initial_parameters(rezero, layout, 0)[layout.factors :].tolist() == [0, 0, 0]
