"""Layers put into a trained network: exact where they copy, and refused where they could not."""

from typing import Any

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, predict, start
from sims.engines.perceptrons.surgery import with_layers


@pytest.fixture(scope="module")
def trained() -> TrainingState:
    return advance(
        start(Architecture(4, 16, skip="none", unit="one-layer"), Recipe("adam", 0.003, 100), "teacher", (0, 1)), 25
    )


@pytest.mark.parametrize("count", [1, 5, 36])
def test_identity_layers_change_no_bit_of_any_answer(trained: TrainingState, count: int) -> None:
    points = source("teacher").load().test_inputs
    deeper = with_layers(trained, count, "identity")
    assert deeper.architecture.depth == 4 + count
    np.testing.assert_array_equal(predict(deeper, points), predict(trained, points))


def test_random_layers_change_the_answers(trained: TrainingState) -> None:
    points = source("teacher").load().test_inputs
    assert not np.array_equal(predict(with_layers(trained, 3, "random"), points), predict(trained, points))


def test_the_deeper_network_trains_on(trained: TrainingState) -> None:
    deeper = with_layers(trained, 3, "identity")
    assert deeper.step == 0
    np.testing.assert_allclose(deeper.now.train_loss, trained.now.train_loss, rtol=1e-6)
    assert (advance(deeper, 25).now.train_loss < deeper.now.train_loss).all()


@pytest.mark.parametrize(
    "choices", [{"skip": "additive"}, {"activation": "tanh"}, {"norm": "batch"}, {"unit": "two-layer"}]
)
def test_only_a_plain_relu_network_can_be_cut_open(choices: dict[str, Any]) -> None:
    architecture = Architecture(**{"depth": 4, "width": 16, "skip": "none", "unit": "one-layer", **choices})
    with pytest.raises(ValueError, match="plain ReLU network"):
        with_layers(start(architecture, Recipe(), "teacher", (0,)), 1, "identity")
