"""The laws by which streams grow before training, against the streams of random networks."""

import numpy as np
import pytest

from sims.comparisons.placings import PLACINGS, setup
from sims.instruments.training.placed_run import begin

SEEDS = tuple(range(20))


@pytest.mark.parametrize("variance", [0.5, 2.0])
@pytest.mark.parametrize("name", PLACINGS)
def test_untrained_streams_keep_to_their_law(name: str, variance: float) -> None:
    """Mean square over twenty seeds, within 15% behind 8, 16 and 32 blocks; it is 64 numbers wide."""
    stream = begin(setup(name, variance, 32, 0.001, SEEDS)).start.stream
    for block in (0, 8, 16, 32):
        assert stream[:, block].mean() == pytest.approx(PLACINGS[name].law(variance, block), rel=0.15)


def test_peri_and_pre_at_thirty_two_blocks() -> None:
    assert PLACINGS["peri"].law(2.0, 32) == 33
    assert PLACINGS["pre"].law(2.0, 32) == 65


@pytest.mark.parametrize("name", ["post", "deep", "sphere"])
def test_a_norm_of_the_sum_leaves_no_growth(name: str) -> None:
    stream = begin(setup(name, 4.0, 16, 0.001, (0, 1))).start.stream
    np.testing.assert_allclose(stream, 1, rtol=1e-3)


def test_a_norm_behind_the_branch_makes_its_strength_irrelevant() -> None:
    for name in ("peri", "output"):
        one, other = (begin(setup(name, variance, 8, 0.001, (0,))).start for variance in (0.5, 2.0))
        np.testing.assert_allclose(one.stream, other.stream, rtol=1e-3)
