"""What chapter 0 shows, with seeds that its pages do not use."""

from typing import Any

import numpy as np
import pytest

from sims.engines.perceptrons import Architecture, Recipe, TrainingState, advance, start

SEEDS = (100, 101)


def trained(depth: int, skip: Any) -> TrainingState:
    architecture = Architecture(depth, 48, skip=skip, norm="batch", unit="original")
    return advance(start(architecture, Recipe("momentum", 0.05, 128, record_every=600), "teacher", SEEDS), 600)


@pytest.mark.exhaustive
def test_depth_ruins_the_fit_of_plain_networks_and_not_of_residual_ones() -> None:
    assert (trained(8, "none").now.train_error < 0.05).all()
    assert (trained(56, "none").now.train_error > 0.5).all()
    assert (trained(56, "additive").now.train_error < 0.05).all()


@pytest.mark.parametrize("depth", [20, 56, 110])
def test_batch_norm_makes_gradients_grow_by_a_fifth_per_layer(depth: int) -> None:
    """√(π/(π − 1)) = 1.2112 per layer (Yang et al. 1902.08129)."""
    architecture = Architecture(depth, 64, skip="none", norm="batch")
    gradients = start(architecture, Recipe(batch=256), "teacher", SEEDS).now.stream_gradients
    factor = (gradients[:, 0] / gradients[:, -1]) ** (1 / (depth - 2))
    assert ((factor > 1.15) & (factor < 1.27)).all()


def test_he_weights_keep_gradients_level_where_default_weights_lose_them() -> None:
    ratios = {}
    for initialization in ("he", "default"):
        architecture = Architecture(56, 48, skip="none", initialization=initialization)
        gradients = start(architecture, Recipe(), "teacher", SEEDS).now.weight_gradients
        ratios[initialization] = gradients[:, 0] / gradients[:, -1]
    assert ((ratios["he"] > 0.1) & (ratios["he"] < 10)).all()
    assert (ratios["default"] < 1e-15).all()


def test_looks_linear_weights_pass_gradients_unchanged() -> None:
    architecture = Architecture(100, 48, skip="none", initialization="looks-linear")
    gradients = start(architecture, Recipe(), "teacher", SEEDS).now.stream_gradients
    np.testing.assert_allclose(gradients / gradients[:, -1:], 1, rtol=1e-3)
