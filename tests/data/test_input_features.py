"""Functions of the coordinates: their values, the data they make, and that nothing changes without them."""

import numpy as np
import pytest

from sims.data.datasets import source
from sims.data.input_features import COORDINATES, FUNCTIONS, LABELS, as_fed, computed, in_plane, with_features

SPIRALS = source("spirals", noise=0.1)


def test_every_function_has_its_value_and_is_written_as_it_is() -> None:
    assert list(FUNCTIONS) == list(LABELS)
    values = computed(np.array([[0.5, -2.0]]), tuple(FUNCTIONS))
    assert values[0] == pytest.approx([0.5, -2, 0.25, 4, -1, np.sin(1.5), np.sin(-6)])


def test_the_sine_has_as_many_waves_in_our_square_as_in_that_of_playground() -> None:
    ours, theirs = np.linspace(-2, 2, 9), np.linspace(-6, 6, 9)
    assert computed(np.stack([ours, ours], axis=1), ["sine_x1"])[:, 0] == pytest.approx(np.sin(theirs))


def test_a_task_that_is_fed_as_coordinates_is_the_task_itself() -> None:
    assert with_features(SPIRALS, COORDINATES) is SPIRALS
    points = np.ones((3, 2))
    assert as_fed(SPIRALS, points) is points
    assert in_plane(SPIRALS) is SPIRALS


def test_the_points_stay_and_what_is_fed_of_them_changes() -> None:
    fed = with_features(SPIRALS, ["product", "x2"])
    data, plain = fed.load(), SPIRALS.load()
    assert data is with_features(SPIRALS, ("product", "x2")).load()
    assert data.features == 2
    assert data.train_inputs.dtype == np.float32
    for mine, theirs in ((data.train_inputs, plain.train_inputs), (data.test_inputs, plain.test_inputs)):
        assert np.array_equal(mine[:, 0], theirs[:, 0] * theirs[:, 1])
        assert np.array_equal(mine[:, 1], theirs[:, 1])
    assert np.array_equal(data.train_labels, plain.train_labels)
    assert in_plane(fed) == SPIRALS
    assert np.array_equal(as_fed(fed, plain.train_inputs), data.train_inputs)


def test_nothing_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="at least one function"):
        with_features(SPIRALS, []).load()
