"""Points through a trained network: where the head's answer parts them, and where it does not yet.

What is said of the network held for the seeds 0 to 9: a training error of 0 at the end, and one of 0.36 to 0.66 in
front of the blocks.
"""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.simulations.shortcuts.passage import BLOCKS, SHOWN, Passage, seen_by_the_head


@pytest.fixture(scope="module")
def frame() -> Frame:
    return Passage().compute()


def test_the_last_block_parts_the_classes_and_the_stem_does_not(frame: Frame) -> None:
    errors = frame["errors"]
    assert len(errors) == BLOCKS + 1
    assert errors[-1] == frame.results["training_error"] < 0.02
    assert errors[0] > 0.2


def test_a_drawn_point_is_on_the_side_of_its_answer(frame: Frame) -> None:
    assert frame["across"].shape == frame["upward"].shape == (BLOCKS + 1, SHOWN)
    wrong = (frame["across"] > 0) != frame["classes"]
    assert wrong[-1].mean() < 0.05
    assert sorted(np.bincount(frame["classes"])) == [SHOWN // 2, SHOWN // 2]


def test_what_is_said_is_of_the_block_that_is_looked_at(frame: Frame) -> None:
    assert "the head, which reads the stream after all 8 blocks, gets" in Passage().describe(frame)
    assert "if it read the stream after block 3 of 8." in Passage(block=3).describe(frame)
    assert "if it read the stream before the first block." in Passage(block=0).describe(frame)


def test_across_is_the_heads_answer_and_upward_is_at_right_angles_to_it() -> None:
    random = np.random.default_rng(0)
    stream, weights = random.normal(size=(3, 40, 5)), np.array([0.0, 2.0, 0.0, 0.0, 0.0])
    stream[..., 4] *= 10
    across, upward = seen_by_the_head(stream, weights, 1.0)
    assert across == pytest.approx(2 * stream[..., 1] + 1)
    assert abs(np.corrcoef(upward.ravel(), stream[..., 4].ravel())[0, 1]) > 0.99
    moved = stream + np.multiply.outer(random.normal(size=(3, 40)), weights)
    assert seen_by_the_head(moved, weights, 1.0)[1] == pytest.approx(upward)


def test_streams_that_left_the_finite_numbers_have_no_direction() -> None:
    stream = np.ones((2, 3, 4))
    stream[1, 1, 1] = np.inf
    assert np.isnan(seen_by_the_head(stream, np.ones(4), 0.0)).all()
