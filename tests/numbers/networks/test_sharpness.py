"""How sharp networks start, over the seeds that chapter 3 names."""

import pytest

from sims.numbers.networks import sharpness
from sims.numbers.worked_examples import worked


@pytest.mark.exhaustive
def test_page_landscape_sharpness_at_the_start_explodes_with_depth_for_plain_networks() -> None:
    """page.landscape: on every seed, by more than a thousand from 10 layers to 34; the residual one by far less."""
    plain = [sharpness.at_start(depth=depth, skip=False, statistic="lowest") for depth in (10, 34)]
    residual = [sharpness.at_start(depth=depth, skip=True, statistic="highest") for depth in (10, 34)]
    assert plain[1] > 1000 * plain[0]
    assert residual[1] < 100 * residual[0]
    assert plain[1] > 100 * residual[1]


@pytest.mark.exhaustive
def test_page_landscape_sharpness_grows_as_the_squared_gradients_of_chapter_0_do() -> None:
    """page.landscape: per layer by about the square of the factor by which BatchNorm makes a gradient grow."""
    assert sharpness.growth(shallow=10, deep=58) == pytest.approx(worked.batch_norm_gain(layers=2), rel=0.1)
