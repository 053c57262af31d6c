"""The bytes of a map say what the network says."""

from dataclasses import replace

import numpy as np
import pytest

from sims.data.datasets import source
from sims.data.input_features import with_features
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, predict, start
from sims.instruments.networks.decision_map import (
    LEVELS,
    NOTHING,
    SIDE,
    classes_on_plane,
    decision_map,
    grid,
    plane_of_inputs,
    share_of_commonest,
)


def trained(task: str, norm: str = "none") -> TrainingState:
    network = Architecture(6, 16, norm=norm)
    return advance(start(network, Recipe("adam", 0.01, 64), source(task), (3, 4)), 40)


def test_the_grid_goes_row_by_row_from_the_lower_left() -> None:
    points = grid(2.0).reshape(SIDE, SIDE, 2)
    assert points[0, 0].tolist() == [-2 + 2 / SIDE] * 2
    assert points[0, -1] == pytest.approx((2 - 2 / SIDE, -2 + 2 / SIDE))
    assert points[-1, 0] == pytest.approx((-2 + 2 / SIDE, 2 - 2 / SIDE))


@pytest.mark.parametrize(("task", "norm"), [("spirals", "none"), ("blobs", "batch"), ("digits_plane", "pre-layer")])
def test_a_byte_is_the_class_and_how_sure_the_first_seed_is(task: str, norm: str) -> None:
    state = trained(task, norm)
    answers = decision_map(state, 2.0)
    outputs = predict(state, grid(2.0))[0].astype(float)
    likely = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    largest = (likely / likely.sum(axis=1, keepdims=True)).max(axis=1)
    classes = outputs.shape[1]
    sure = (largest - 1 / classes) / (1 - 1 / classes)
    assert answers.dtype == np.uint8
    assert np.array_equal(answers.reshape(-1) // LEVELS, outputs.argmax(axis=1))
    assert np.abs(answers.reshape(-1) % LEVELS + 0.5 - sure * LEVELS).max() <= 0.5 + 1e-3


def test_a_smaller_map_asks_at_fewer_points() -> None:
    state = trained("spirals")
    assert np.array_equal(
        decision_map(state, 2.0, 8).reshape(-1) // LEVELS, predict(state, grid(2.0, 8))[0].argmax(axis=1)
    )


def test_no_answer_has_a_byte_of_its_own() -> None:
    state = trained("spirals")
    broken = replace(state, parameters=np.full_like(state.parameters, np.nan))
    assert (decision_map(broken, 2.0) == NOTHING).all()


def test_the_plane_goes_through_the_first_three_test_points() -> None:
    task = source("teacher")
    a, b, c = task.load().test_inputs[:3]
    # With two cells in each half of a side, the middle of four cells is a corner of the triangle.
    cells = plane_of_inputs(task, 4).reshape(4, 4, -1)
    for point, (row, column) in ((a, (0, 0)), (b, (0, 2)), (c, (2, 0))):
        middle = cells[row : row + 2, column : column + 2].mean(axis=(0, 1))
        np.testing.assert_allclose(middle, point, atol=1e-6)


def test_classes_on_the_plane_are_those_of_the_first_seed() -> None:
    state = trained("teacher")
    answers = predict(state, plane_of_inputs(state.source, 8))[0].argmax(axis=1)
    assert np.array_equal(classes_on_plane(state, 8), answers.reshape(8, 8))
    broken = replace(state, parameters=np.full_like(state.parameters, np.nan))
    assert (classes_on_plane(broken, 8) == -1).all()


def test_the_commonest_class_is_counted_whatever_the_confidence() -> None:
    assert share_of_commonest(np.array([[0, 5], [15, 16]], np.uint8)) == 0.75


def test_a_network_answers_for_what_it_is_fed_of_a_place() -> None:
    """One that is fed x₁² cannot tell left from right."""
    task = with_features(source("spirals"), ["x1_squared", "x2"])
    answers = decision_map(advance(start(Architecture(6, 16), Recipe("adam", 0.01, 64), task, (3,)), 40), 2.0)
    assert np.array_equal(answers, answers[:, ::-1])
    assert not np.array_equal(answers, answers[::-1])
