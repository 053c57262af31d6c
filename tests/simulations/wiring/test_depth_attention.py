"""Looking back over depth: the mean for a query of zero, and the length that a query keeps where a sum grows."""

import numpy as np
import pytest

from sims.instruments.stacks.depth_lookback import MOST_OUTPUTS
from sims.simulations.wiring.depth_attention import DepthAttention


@pytest.mark.parametrize("seed", range(4))
def test_a_zero_query_gives_the_mean(seed: int) -> None:
    frame = DepthAttention(seed=seed).compute()
    assert frame["attended_arrow"] == pytest.approx(frame["mean_arrow"])
    assert frame.results["sum"] == pytest.approx(6 * frame.results["mean"])
    assert "the same weight, 17%" in DepthAttention(seed=seed).describe(frame)


def test_lengths_are_those_of_the_arrows_at_the_present_count() -> None:
    simulation = DepthAttention(across=1.5, up=-0.5, earlier=4)
    frame = simulation.compute()
    assert len(frame["weights"]) == 4
    assert frame["weights"].sum() == pytest.approx(1)
    for name in ("sum", "mean", "attended"):
        assert frame.results[name] == pytest.approx(np.linalg.norm(frame[f"{name}_arrow"]))
        assert frame[f"{name}_length"][3] == pytest.approx(frame.results[name])
        assert len(frame[f"{name}_length"]) == MOST_OUTPUTS
    assert "the largest weight" in simulation.describe(frame)
