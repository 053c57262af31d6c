"""Which networks can miss a block: orderings that held over the ten seeds 0 to 9 at the page's depth."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.simulations.theories.lesion import Lesion, _listed, how_many


@pytest.fixture(scope="module")
def frame() -> Frame:
    return Lesion(seeds=2).compute()


@pytest.mark.exhaustive
def test_a_plain_network_cannot_miss_a_block_and_pre_ln_or_rezero_can(frame: Frame) -> None:
    assert frame.results["plain_whole"] < 0.1
    assert frame.results["plain_typical"] > 0.4
    for name in ("rezero", "residual_pre"):
        assert frame.results[f"{name}_whole"] < 0.02
        assert frame.results[f"{name}_typical"] < 0.2


@pytest.mark.exhaustive
def test_the_order_of_those_who_suffer_is_that_of_the_prediction(frame: Frame) -> None:
    """What `p-lesion` of chapter 8 asks; the order was the same for five seeds each from 10, 100, 200 and 300 on."""
    order = ("residual", "highway", "dense", "residual_pre")
    typical = [float(frame.results[f"{name}_typical"]) for name in order]
    assert typical == sorted(typical, reverse=True)


@pytest.mark.exhaustive
def test_a_skip_alone_does_not_make_blocks_dispensable(frame: Frame) -> None:
    assert frame.results["residual_typical"] > 0.3


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
def test_the_readout_is_one_sentence_about_the_block_that_is_out() -> None:
    small = Lesion(depth=4, seeds=1, training_steps=300, block=2)
    state = small.start()
    assert "Before the first step" in small.describe(small.frame(state))
    done = small.frame(small.advance(state, 300))
    for block, words in ((2, "without block 2 at"), (0, "without a typical block at")):
        small.block = block
        text = small.describe(done)
        assert words in text
        assert text.count(".") == 1
        hurt, fine = text.split(" for ", 1)[1].split(", but not for ")
        assert all((label in hurt) != (label in fine) for label in ("plain", "ReZero", "highway", "dense"))


def test_names_are_listed_as_people_list_them() -> None:
    assert [_listed(names) for names in ([], ["a"], ["a", "b", "c"])] == ["nobody", "a", "a, b and c"]
