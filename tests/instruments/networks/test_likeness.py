"""Likeness is the mean cosine over pairs of points, of every seed, as plain loops and torch have it."""

from itertools import combinations

import numpy as np
import pytest
import torch

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, predict, start
from sims.engines.perceptrons.layout import make_layout
from sims.instruments.networks.likeness import COMPARED, likeness_by_layer, mean_cosine, original_stream

SEEDS = (3, 11)
POINTS = source("teacher").load().test_inputs[:9]


def network(**settings) -> TrainingState:
    return start(Architecture(width=12, **settings), Recipe("adam", 0.001, 16), source("teacher"), SEEDS)


def weights(state: TrainingState, seed: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Weight matrix and bias of every layer, in double precision."""
    layout = make_layout(state.architecture, 32, 10)
    parameters = torch.tensor(state.parameters[seed], dtype=torch.float64)
    layers = []
    for rows, columns, weight, bias in layout.table()[: state.architecture.depth].tolist():
        matrix = parameters[weight : weight + rows * columns].reshape(rows, columns)
        layers.append((matrix, parameters[bias : bias + rows] if bias >= 0 else torch.zeros(rows)))
    return layers


def mean_over_pairs(values: torch.Tensor) -> float:
    pairs = combinations(values, 2)
    return float(np.mean([torch.nn.functional.cosine_similarity(one, other, dim=0).item() for one, other in pairs]))


@pytest.mark.parametrize("skip", ["none", "additive"])
@pytest.mark.parametrize(("activation", "function"), [("relu", torch.relu), ("tanh", torch.tanh)])
def test_every_layer_of_every_seed_against_torch(skip, activation, function) -> None:
    state = network(depth=7, skip=skip, activation=activation, initialization="default")
    measured = likeness_by_layer(state, POINTS)
    assert measured.shape == (2, 6)
    for seed in range(2):
        stem, *blocks, _head = weights(state, seed)
        stream = torch.tensor(POINTS, dtype=torch.float64) @ stem[0].T + stem[1]
        expected = [mean_over_pairs(function(stream))]
        for matrix, bias in blocks:
            branch = function(stream) @ matrix.T + bias
            stream = stream + branch if skip == "additive" else branch
            expected.append(mean_over_pairs(function(stream)))
        assert measured[seed] == pytest.approx(expected, abs=1e-5)


def test_a_vector_of_zeros_counts_as_a_right_angle() -> None:
    values = np.array([[[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]])
    assert mean_cosine(values) == pytest.approx([1 / 3])
    assert mean_cosine(np.zeros((2, 4, 5))) == pytest.approx([0, 0])


@pytest.mark.parametrize("number", [np.inf, np.nan])
def test_a_layer_that_has_left_the_finite_numbers_has_no_likeness(number: float) -> None:
    values = np.ones((2, 3, 4))
    values[1, 0, 2] = number
    assert mean_cosine(values) == pytest.approx([1, np.nan], nan_ok=True)


def test_parallel_points_are_wholly_alike_and_opposite_ones_the_contrary() -> None:
    direction = np.random.default_rng(0).normal(size=20)
    assert mean_cosine((direction[:, None] * np.array([1.0, 3.0, 0.2]))[None]) == pytest.approx([1])
    assert mean_cosine((direction[:, None] * np.array([1.0, -2.0]))[None]) == pytest.approx([-1])


@pytest.mark.parametrize("skip", ["none", "additive"])
@pytest.mark.parametrize("norm", ["none", "batch"])
def test_the_stream_of_the_original_unit_is_what_the_head_reads(skip, norm) -> None:
    """The head's weights take it to the network's outputs."""
    state = network(depth=10, skip=skip, norm=norm, unit="original")
    streams = original_stream(state, POINTS)
    for seed in range(2):
        matrix, bias = weights(state, seed)[-1]
        outputs = torch.tensor(streams[seed].T, dtype=torch.float64) @ matrix.T + bias
        assert predict(state, POINTS)[seed] == pytest.approx(outputs.numpy(), rel=1e-4, abs=1e-4)


def test_without_a_skip_the_unit_makes_no_difference() -> None:
    points = source("teacher").load().test_inputs[:COMPARED]
    original, usual = network(depth=10, skip="none", unit="original"), network(depth=10, skip="none")
    assert mean_cosine(original_stream(original, points)) == pytest.approx(
        likeness_by_layer(usual, points)[:, -1], abs=1e-5
    )


def test_another_unit_has_no_stream_of_that_kind() -> None:
    with pytest.raises(ValueError, match="original unit"):
        original_stream(network(depth=6), POINTS)
