"""What is held for the backward pass, by kind of stack (H-01, H-02, H-03)."""

import numpy as np
import pytest

from sims.simulations.costs.memory import KINDS, Memory, by_block, copies


@pytest.fixture(scope="module")
def measured():
    return Memory(depth=16, width=32, batch=32).compute()


def test_h_01_a_skip_holds_not_one_byte_more(measured):
    np.testing.assert_array_equal(measured["plain"], measured["residual"])
    assert measured.results["difference"] == 0
    assert measured.results["residual_turn"] == 31 * measured.results["copy"]


def test_h_02_checkpoints_hold_about_twice_the_root_of_the_depth(measured):
    """Four segments: what enters three of them, and the inside of the one that is computed again."""
    inside = 7
    assert measured.results["checkpointed_turn"] < 4 * measured.results["copy"]
    assert measured.results["checkpointed_peak"] == (3 + inside) * measured.results["copy"]


@pytest.mark.parametrize("segment", [1, 2, 8, 16])
def test_no_other_segment_holds_less_than_the_root_of_the_depth(measured, segment):
    other = Memory(depth=16, width=32, batch=32, segment=segment).compute()
    assert other.results["checkpointed_peak"] >= measured.results["checkpointed_peak"]


def test_h_03_a_dense_stack_written_naively_grows_faster_than_its_depth():
    """Its stacks are stored anew by every block."""
    dense = [Memory(depth=depth, width=32, batch=32).compute().results["dense_turn"] for depth in (16, 64)]
    assert dense[1] > 1.6 * 4 * dense[0]


def test_a_reversible_stack_holds_the_same_at_any_depth():
    peaks = {Memory(depth=depth, width=32, batch=32).compute().results["reversible_peak"] for depth in (4, 36)}
    assert len(peaks) == 1


def test_half_the_bits_are_half_the_bytes(measured):
    half = Memory(depth=16, width=32, batch=32, precision="bfloat16").compute()
    assert half.results["plain_turn"] == measured.results["plain_turn"] / 2


def test_the_stacks_arrive_one_after_the_other(measured):
    simulation = Memory(depth=4, width=32, batch=32)
    state = simulation.advance(simulation.start(), 1)
    frame = simulation.frame(state)
    assert (frame.step, frame.steps) == (1, len(KINDS))
    assert np.isfinite(frame["residual"]).all()
    assert np.isnan(frame["plain"]).all()
    assert "Nothing is measured" in simulation.describe(frame)
    assert "not one byte more" in simulation.describe(measured)


def test_the_larger_of_two_branches_of_a_block_is_shown():
    assert by_block(np.array([1, 2, 3, 4, 9, 8, 7, 6, 5]), 2).tolist() == [2, 4, 9, 8, 6]


def test_copies_are_bytes_over_those_of_one_stream():
    assert copies("plain", depth=4) == 7
