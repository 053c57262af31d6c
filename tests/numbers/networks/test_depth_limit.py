"""Two limits of great depth."""

import itertools

import numpy as np
import pytest

from sims.numbers.networks.depth_limit import change, end, scatter, smooth


def test_one_block_is_what_it_says() -> None:
    weights = np.zeros((1, 1, 8, 8))
    weights[0, 0, 0, 1] = 2.0
    assert end(weights, 0.5)[0].tolist() == pytest.approx([1 + 0.5 * np.tanh(2.0), *[1.0] * 7])
    assert smooth(16)[::2] == pytest.approx(smooth(8))


def test_f_06_with_one_over_depth_and_smooth_weights_the_network_converges_in_first_order() -> None:
    """F-06: twice the blocks, half the change, as Euler's method has it."""
    changes = [float(change(blocks=blocks)) for blocks in (32, 64, 128, 256)]
    ratios = [one / other for one, other in itertools.pairwise(changes)]
    assert ratios == pytest.approx([2, 2, 2], abs=0.05)


def test_f_06_with_one_over_the_root_and_independent_weights_chance_stays() -> None:
    """With 1/depth the draws come together as fast as a mean of independent terms; with 1/√depth they do not."""
    at_root = [float(scatter(blocks=blocks, power=0.5)) for blocks in (64, 256, 1024)]
    assert min(at_root) > 0.8 * max(at_root) > 0.4
    at_one = [float(scatter(blocks=blocks, power=1.0)) for blocks in (64, 256, 1024)]
    assert at_one[0] / at_one[1] == pytest.approx(2, rel=0.1)
    assert at_one[1] / at_one[2] == pytest.approx(2, rel=0.1)
