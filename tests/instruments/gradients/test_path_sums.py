"""Paths of scalar chains against enumeration and the product; the ids are those of the claims."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.instruments.gradients.path_sums import by_length, counts, path_lengths, path_weights, weighted

GAINS = st.lists(st.floats(-2.5, 1.5), min_size=1, max_size=12)


def listed(gains: list[float]) -> dict[int, float]:
    """Sums by length over paths that are written out one by one: the slow and obvious way."""
    sums = dict.fromkeys(range(len(gains) + 1), 0.0)
    for path in itertools.product([False, True], repeat=len(gains)):
        chosen = [gain for gain, through in zip(gains, path, strict=True) if through]
        sums[len(chosen)] += math.prod(chosen)
    return sums


@given(GAINS)
def test_b_13_the_sums_by_length_are_those_of_all_listed_paths(gains: list[float]) -> None:
    scale = math.prod(1 + abs(gain) for gain in gains)
    actual = by_length(gains)
    assert actual == pytest.approx(list(listed(gains).values()), abs=1e-12 * scale)
    assert actual.sum() == pytest.approx(math.prod(1 + gain for gain in gains), abs=1e-12 * scale)


@given(GAINS)
def test_weights_of_whole_paths_group_by_their_lengths(gains: list[float]) -> None:
    weights, lengths = path_weights(gains)[-1], path_lengths(len(gains))
    scale = math.prod(1 + abs(gain) for gain in gains)
    sums = np.bincount(lengths, weights)
    assert sums == pytest.approx(by_length(gains), abs=1e-12 * scale)
    assert np.bincount(lengths).tolist() == counts(len(gains)).tolist()


@given(st.floats(0.01, 1.5), st.integers(1, 110))
def test_weighted_lengths_are_binomial(gain: float, blocks: int) -> None:
    shares, odds = weighted(blocks, gain), gain / (1 + gain)
    exact = [math.comb(blocks, k) * odds**k * (1 - odds) ** (blocks - k) for k in range(blocks + 1)]
    assert shares == pytest.approx(exact, abs=1e-10)
    assert shares @ np.arange(blocks + 1) == pytest.approx(blocks * odds)
    assert shares.sum() == pytest.approx(1)


@given(st.floats(-2.5, 1.5).filter(lambda gain: abs(gain + 1) > 0.1 and abs(gain) > 1e-6), st.integers(1, 8))
def test_shares_of_a_negative_gain_have_signs_and_add_up_to_one(gain: float, blocks: int) -> None:
    expected = by_length([gain] * blocks) / (1 + gain) ** blocks
    assert weighted(blocks, gain) == pytest.approx(expected, rel=1e-9, abs=1e-9 * abs(expected).max())


def test_without_any_total_there_are_no_shares() -> None:
    with pytest.raises(ValueError, match="exactly 0"):
        weighted(5, -1.0)
    assert weighted(3, 0.0).tolist() == [1, 0, 0, 0]


@given(GAINS, st.data())
def test_b_15_half_of_all_paths_go_through_one_block_so_that_they_are_no_independent_members(
    gains: list[float], data: st.DataObject
) -> None:
    """B-15: what changes one branch changes 2^(L − 1) paths at once, and taking it out takes them all."""
    block = data.draw(st.integers(0, len(gains) - 1))
    through = path_weights([0.0 if index == block else 1.0 for index in range(len(gains))])[-1] == 0
    assert np.count_nonzero(through) == 2 ** (len(gains) - 1)
    one, other, none = (path_weights([*gains[:block], gain, *gains[block + 1 :]])[-1] for gain in (0.5, 1.0, 0.0))
    assert np.array_equal(one[~through], other[~through])
    np.testing.assert_allclose(2 * one[through], other[through], rtol=1e-12, atol=1e-300)
    assert not none[through].any()
