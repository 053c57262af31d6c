"""Xiong et al.'s law for the gradient of the last block (C-04)."""

import numpy as np
import pytest

from sims.comparisons.placements import transformer
from sims.engines.transformers.single_pass import initial_pass
from sims.simulations.norm_placement.last_layer import DEPTHS, LastLayer


def last_gradients(placement, seeds, depths=DEPTHS):
    simulation = LastLayer()
    values = [[simulation._measure(placement, blocks, seed).second_weights[-1] for seed in seeds] for blocks in depths]
    return np.exp(np.mean(np.log(values), axis=1))


@pytest.fixture(scope="module")
def measured():
    """Geometric means of 16 seeds, 6 to 96 blocks."""
    return {name: last_gradients(name, range(16)) for name in ("pre", "post")}


@pytest.mark.exhaustive
def test_c_04_pre_ln_follows_one_over_the_root_of_depth(measured):
    law = measured["pre"] * np.sqrt(DEPTHS)
    assert law.std() / law.mean() < 0.1


@pytest.mark.exhaustive
def test_c_04_post_ln_does_not_depend_on_depth(measured):
    assert measured["post"].max() / measured["post"].min() < 1.3


@pytest.mark.exhaustive
def test_c_04_without_the_final_norm_there_is_no_such_law(measured):
    shallow, deep = last_gradients("pre-open", range(4), (6, 48))
    assert deep > 0.9 * shallow
    assert measured["pre"][3] < 0.5 * measured["pre"][0]


def test_networks_of_one_seed_share_their_weights_and_points():
    random = np.random.default_rng(0)
    points, labels = random.normal(size=(8, 32)).astype(np.float32), random.integers(0, 10, 8)
    passes = [
        initial_pass(transformer(name, 4, width=16, tokens=4, initialization="xavier"), 0, points, labels, 10)
        for name in ("pre", "pre-open")
    ]
    np.testing.assert_array_equal(passes[0].activations, passes[1].activations)
    assert passes[0].loss != passes[1].loss


def test_c_19_the_stream_of_pre_ln_grows_with_depth_and_that_of_post_ln_does_not():
    simulation = LastLayer()
    sizes = {
        name: [simulation._measure(name, blocks, 0).activations[-1] ** 2 for blocks in (6, 24)]
        for name in ("pre", "post")
    }
    assert sizes["pre"][1] > 2.5 * sizes["pre"][0] > 5
    assert sizes["post"] == pytest.approx([1, 1], abs=1e-3)


def test_the_picture_fills_from_shallow_to_deep():
    simulation = LastLayer(seeds=1)
    state = simulation.advance(simulation.start(), 4)
    frame = simulation.frame(state)
    assert np.isfinite(frame["pre_last"]).tolist() == [True, False, False, False, False]
    assert "With 6 blocks" in simulation.describe(frame)
    assert "over the depths" not in simulation.describe(frame)
    assert np.isnan(frame["deep_last"]).all()
