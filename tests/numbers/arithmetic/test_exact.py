"""The arithmetic of the claims, with the values of the fact ledger; the ids are those of the cards."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.instruments.surfaces.trajectories import principal
from sims.kept.book import NumberStore
from sims.numbers.arithmetic import exact
from sims.paths import CONTENT


def test_b_01_negative_gains_let_a_residual_product_vanish() -> None:
    assert exact.product(factor=0.7, count=20) == pytest.approx(7.97923e-4, rel=1e-5)
    assert exact.product(factor=0.5, count=20) == pytest.approx(9.53674e-7, rel=1e-5)
    assert exact.product(factor=0.0, count=1) == 0


def test_b_02_positive_gains_let_it_explode() -> None:
    assert exact.product(factor=1.3, count=20) == pytest.approx(190.05, rel=1e-4)
    assert exact.product(factor=1.3, count=100) == pytest.approx(2.479e11, rel=1e-3)


def test_five_blocks() -> None:
    assert exact.product(factor=1.3, count=5) == pytest.approx(3.71293, abs=1e-9)


@pytest.mark.parametrize(("blocks", "share"), [(3, 0.455166), (5, 0.269329), (10, 0.072538), (20, 0.005262)])
def test_b_05_share_of_the_direct_path(blocks: int, share: float) -> None:
    assert exact.direct_share(gain=0.3, blocks=blocks) == pytest.approx(share, abs=1e-6)


def test_b_06_all_other_paths() -> None:
    assert exact.other_paths(gain=0.5, blocks=20) == pytest.approx(3324.256730, rel=1e-9)


def test_five_percent_off() -> None:
    assert exact.product(factor=1.05, count=50) == pytest.approx(11.467, rel=1e-4)
    assert exact.product(factor=0.95, count=50) == pytest.approx(0.0769, rel=1e-3)


@given(st.floats(-2, 2), st.integers(1, 10))
def test_b_13_the_sum_over_all_paths_is_the_product(gain: float, blocks: int) -> None:
    paths = [gain ** sum(path) for path in itertools.product([0, 1], repeat=blocks)]
    assert sum(paths) == pytest.approx(float(exact.product(factor=1 + gain, count=blocks)), abs=1e-9)
    assert sum(paths[1:]) == pytest.approx(float(exact.other_paths(gain=gain, blocks=blocks)), abs=1e-9)


def test_b_18_path_lengths_of_a_110_layer_network() -> None:
    assert exact.path_mass(modules=54, shortest=5, longest=17) == pytest.approx(0.00453667, abs=1e-7)
    assert exact.path_mass(modules=54, shortest=19, longest=35) == pytest.approx(0.980166, abs=1e-5)
    assert exact.path_mass(modules=54, shortest=0, longest=54) == 1


def test_parameters_of_a_block() -> None:
    import torch

    assert exact.block_parameters(width=512, hidden=2048) == 3_152_384
    layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
    assert exact.block_parameters(width=512, hidden=2048) == sum(parameter.numel() for parameter in layer.parameters())


def test_f_01_growth_per_block() -> None:
    assert exact.unscaled_growth() == pytest.approx(1.0274, abs=1e-4)


def test_f_10_deepnorm_constants() -> None:
    assert exact.deepnorm_skip(layers=96) == pytest.approx(3.7224, abs=1e-4)
    assert exact.deepnorm_start(layers=96) == pytest.approx(0.18996, abs=1e-5)


def test_f_05_sixty_four_additions() -> None:
    assert exact.branch_factor(additions=64) == 0.125


def test_a_random_walk_lies_mostly_in_two_directions() -> None:
    walk = np.random.default_rng(0).normal(size=(400, 40_000)).cumsum(axis=0)
    share = exact.random_walk_share(components=2)
    assert share == pytest.approx(principal(walk).explained, abs=0.005)
    values = np.linalg.svd(walk[:, :4000] - walk[-1, :4000], compute_uv=False) ** 2
    assert exact.random_walk_share(components=1) == pytest.approx(values[0] / values.sum(), abs=0.02)
    assert exact.random_walk_share(components=100_000) == pytest.approx(1, abs=1e-4)


def test_the_path_of_the_plain_network_shows_hardly_more_than_a_random_walk() -> None:
    """The sentence in the chapter on landscapes that compares the two."""
    kept = NumberStore(CONTENT / "numbers.json").entries["ball.measured(measure='explained', skip=False)"]
    assert 0 < float(kept.value) - float(exact.random_walk_share(components=2)) < 0.02


def test_a_product_of_gaussian_matrices_sinks_and_spreads() -> None:
    """The logarithm of a vector's length after 60 matrices of width 64, over 400 draws."""
    random, width, matrices = np.random.default_rng(0), 64, 60
    vectors = np.ones((400, width)) / math.sqrt(width)
    for _ in range(matrices):
        # A Gaussian matrix sends a vector to a Gaussian vector of its length, whatever its direction.
        vectors = np.linalg.norm(vectors, axis=1, keepdims=True) * random.normal(size=vectors.shape) / math.sqrt(width)
    logarithms = np.log(np.linalg.norm(vectors, axis=1))
    median = math.log(exact.gaussian_product_median(matrices=matrices, width=width))
    spread = math.log(exact.gaussian_product_spread(matrices=matrices, width=width))
    assert median == pytest.approx(logarithms.mean(), abs=0.1)
    assert spread == pytest.approx(logarithms.std(), rel=0.1)
