"""The picture of all paths: totals, unequal gains, and words at the places where words go wrong."""

import numpy as np
import pytest

from sims.simulations.gradients.paths import Paths


def test_default_is_three_blocks_and_eight_paths() -> None:
    frame = Paths().compute()
    assert frame.results["total"] == pytest.approx(2.197)
    assert frame.results["direct_share"] == pytest.approx(0.455166, abs=1e-6)
    assert frame["sums"] == pytest.approx([1, 0.9, 0.27, 0.027])
    assert sorted(frame["weights"]) == pytest.approx([0.027, 0.09, 0.09, 0.09, 0.3, 0.3, 0.3, 1])


def test_own_gains_hold_only_where_branches_are_not_alike() -> None:
    own = Paths(alike=False, gain_1=0.3, gain_2=-0.9, gain_3=0.5)
    assert own.compute().results["total"] == pytest.approx(0.195)
    assert Paths(alike=True, gain_2=-0.9).compute().results["total"] == pytest.approx(2.197)


def test_one_block_kills_everything_at_any_place() -> None:
    for block in (1, 2, 3):
        frame = Paths(alike=False, **{f"gain_{block}": -1.0}).compute()
        assert frame.results["total"] == 0
        assert frame["sums"][0] == 1
        assert frame["sums"].sum() == pytest.approx(0, abs=1e-12)


def test_ten_blocks_have_all_paths() -> None:
    frame = Paths(blocks=10, gain=-0.3).compute()
    assert len(frame["weights"]) == len(np.unique(frame["weights"].round(12))) + 1024 - 11
    assert frame["weights"].sum() == pytest.approx(0.7**10, abs=1e-12)
    assert len(frame["beginnings"]) == 2**11 - 2


@pytest.mark.parametrize("gain", [-2.5, -2.0, -1.0, -0.3, 0.0, 0.3, 1.5])
@pytest.mark.parametrize("blocks", [1, 2, 10])
def test_it_describes_every_corner(gain: float, blocks: int) -> None:
    simulation = Paths(gain=gain, blocks=blocks)
    words = simulation.describe(simulation.compute())
    assert "nan" not in words
    assert "e-" not in words
    assert ("the rest cancels" in words) == (gain < 0)
