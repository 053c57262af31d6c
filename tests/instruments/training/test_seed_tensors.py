"""Weights and points of several seeds: copied where they must be, and measured seed by seed."""

import numpy as np
import pytest
import torch

from sims.data.datasets import digits
from sims.instruments.training.seed_tensors import (
    arrays,
    first_points,
    mean_squares,
    point_batches,
    root_mean_squares,
    stacked,
    tensors,
)


def test_arrays_and_tensors_are_copies() -> None:
    start = {"a": np.ones(3, np.float32)}
    weights = tensors(start)
    copies = arrays(weights)
    weights["a"] += 1
    assert start["a"].tolist() == copies["a"].tolist() == [1, 1, 1]


def test_weights_of_seeds_are_stacked_by_name() -> None:
    weights = stacked({"a": torch.full((2, 3), seed), "b": torch.tensor(seed)} for seed in (4.0, 7.0))
    assert weights["a"][:, 1, 2].tolist() == weights["b"].tolist() == [4, 7]
    assert weights["a"].dtype == np.float32


def test_batches_hold_the_points_with_their_numbers() -> None:
    data, numbers = digits(), np.array([[[5, 2], [0, 9]], [[1, 1], [3, 4]]])
    for chosen, (inputs, labels) in zip(numbers, point_batches(data, numbers), strict=True):
        assert np.array_equal(inputs.numpy(), data.train_inputs[chosen])
        assert np.array_equal(labels.numpy(), data.train_labels[chosen])


def test_the_first_points_are_the_same_for_all_seeds() -> None:
    data = digits()
    inputs, labels = first_points(data, 2, 7)
    assert inputs.shape == (2, 7, data.features)
    for seed in range(2):
        assert np.array_equal(inputs[seed].numpy(), data.train_inputs[:7])
        assert np.array_equal(labels[seed].numpy(), data.train_labels[:7])


def test_squares_are_means_over_points_and_width() -> None:
    streams = np.random.default_rng(0).normal(size=(3, 2, 5, 4)).astype(np.float32)
    expected = np.square(streams.astype(float)).mean(axis=(2, 3)).T
    both = [torch.tensor(stream) for stream in streams]
    assert mean_squares(both) == pytest.approx(expected)
    assert root_mean_squares(both) == pytest.approx(np.sqrt(expected))
