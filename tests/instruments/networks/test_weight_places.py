"""The picture of the weights shows those that the stacks really start from."""

import numpy as np
import pytest

from sims.engines.perceptrons.square_stack import Stack, start
from sims.instruments.networks.weight_places import LAYERS, TARGETS, WIDTH, distance, places


@pytest.mark.parametrize("initialization", ["default", "small"])
def test_the_places_are_those_of_the_stack_that_learns_to_copy(initialization: str) -> None:
    (weights,) = start(Stack(LAYERS, WIDTH, start=initialization), [0]).weights.astype(np.float64)
    for kind, amount in TARGETS.items():
        away = np.linalg.norm(weights - amount * np.eye(WIDTH), axis=(1, 2)) / np.sqrt(WIDTH)
        seen = np.linalg.norm(places(initialization) - [amount, 0], axis=1)
        np.testing.assert_allclose(seen, away, rtol=1e-6)
        assert distance(initialization, kind) == pytest.approx(float(np.median(away)))


def test_the_residual_target_is_the_nearer_one() -> None:
    for initialization in ("default", "small"):
        assert float(distance(initialization, "residual")) < float(distance(initialization, "plain"))


def test_another_initialization_is_refused() -> None:
    with pytest.raises(ValueError, match="not zero"):
        places("zero")
