"""Which networks can miss a block: orderings that held over the ten seeds 0 to 9 at the page's depth."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.simulations.lesion import Lesion, how_many


@pytest.fixture(scope="module")
def frame() -> Frame:
    return Lesion(seeds=2).compute()


def test_a_plain_network_cannot_miss_a_block_and_pre_ln_or_rezero_can(frame: Frame) -> None:
    assert frame.results["plain_whole"] < 0.1
    assert frame.results["plain_typical"] > 0.4
    for name in ("rezero", "residual_pre"):
        assert frame.results[f"{name}_whole"] < 0.02
        assert frame.results[f"{name}_typical"] < 0.2


def test_the_order_of_those_who_suffer_is_that_of_the_prediction(frame: Frame) -> None:
    """What `p-lesion` of chapter 8 asks; the order was the same for the seeds 0 to 2, 10 to 12 and 100 to 102."""
    order = ("residual", "highway", "dense", "residual_pre", "rezero")
    typical = [float(frame.results[f"{name}_typical"]) for name in order]
    assert typical == sorted(typical, reverse=True)


def test_a_skip_alone_does_not_make_blocks_dispensable(frame: Frame) -> None:
    assert frame.results["residual_typical"] > 0.3


def test_without_all_blocks_everybody_is_a_linear_classifier_of_the_stem(frame: Frame) -> None:
    for name in ("plain", "residual", "rezero", "highway"):
        assert frame[f"{name}_several"][0] == frame.results[f"{name}_whole"]
        assert frame[f"{name}_several"][-1] > 0.2
    assert sorted(frame["order"].tolist()) == frame["blocks"].tolist()


def test_numbers_of_blocks_double_up_to_all_of_them() -> None:
    assert how_many(16) == [0, 1, 2, 4, 8, 16]
    assert how_many(12) == [0, 1, 2, 4, 8, 12]


def test_a_look_between_two_records_is_the_last_one() -> None:
    small = Lesion(depth=4, seeds=1, training_steps=300)
    at = small.advance(small.start(), 30)
    after = small.advance(at, 7)
    assert after.step == at.step == 30
    assert np.array_equal(after.one["plain"], at.one["plain"])
