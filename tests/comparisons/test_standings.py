"""The rule of the podium."""

from itertools import combinations

import numpy as np
import pytest

from sims.comparisons.standings import Score, places, progress, score


def test_a_seed_finishes_at_its_first_record_under_the_line():
    errors = np.array([[0.5, 0.5, 0.5], [0.3, 0.01, 0.5], [0.019, 0.4, 0.02]])
    standing = score([0, 5, 10], errors, np.array([0.1, np.inf, 0.3]))
    assert standing.finished == (5, 10)
    assert standing.step == 7.5
    assert standing.losses == (np.inf, 0.1, 0.3)
    assert standing.loss == 0.3
    assert standing.seeds == [(5, 0), (10, 0), (np.inf, 0.3)]


def test_more_finished_seeds_then_fewer_steps_then_less_loss():
    scores = {
        "none, high": Score((), (5.0, 6.0, 7.0)),
        "two": Score((1, 2), (0.0, 0.0, 0.0)),
        "three, late": Score((80, 90, 100), (0.0, 0.0, 0.0)),
        "three, early": Score((10, 20, 30), (0.0, 0.0, 0.0)),
        "none, low": Score((), (1.0, 2.0, 3.0)),
    }
    assert list(places(scores)) == ["three, early", "three, late", "two", "none, low", "none, high"]


def test_overlapping_seeds_share_a_place_with_the_leader_only():
    scores = {
        "a": Score((10, 30), (0.0, 0.0)),
        "b": Score((20, 60), (0.0, 0.0)),
        "c": Score((40, 70), (0.0, 0.0)),
    }
    assert places(scores) == {"a": 1, "b": 1, "c": 3}


def of_five(*finished: int) -> Score:
    """Five seeds, of which some finished; the others are stuck at one loss each."""
    return Score(finished, (*(0.0 for _ in finished), *(0.5 + 0.01 * lane for lane in range(5 - len(finished)))))


def test_a_count_decides_only_where_the_seeds_decide():
    """What the page says of five seeds: they tell a network that trains from one that does not, and neither three of
    five from one of five nor four from three."""
    all_home, four, three, one, none = (of_five(*range(50, 50 + 10 * count, 10)) for count in (5, 4, 3, 1, 0))
    assert all_home.beats(none)
    assert not three.beats(one)
    assert places({"four": four, "three": three}) == {"four": 1, "three": 1}
    assert places({"five": all_home, "none": none}) == {"five": 1, "none": 2}
    late = of_five(100, 110, 120)
    assert places({"five": all_home, "late": late}) == {"five": 1, "late": 2}


def test_interchangeable_seeds_differ_by_chance_once_in_twenty_at_most():
    """Of all ways to deal ten different finishes to two entrants of five seeds each."""
    apart = 0
    deals = list(combinations(range(10), 5))
    for deal in deals:
        mine, yours = of_five(*deal), of_five(*sorted(set(range(10)) - set(deal)))
        apart += mine.beats(yours) + yours.beats(mine)
    assert 1 / 40 < apart / len(deals) < 1 / 20


@pytest.mark.parametrize("losses", [(np.inf, np.inf), (0.5, np.inf)])
def test_lost_seeds_rank_last_and_never_break_the_order(losses):
    scores = {"lost": Score((), losses), "stuck": Score((), (0.3, 0.4))}
    assert places(scores) == {"stuck": 1, "lost": 2}


def test_a_seed_that_has_crossed_the_line_stays_across():
    errors = np.array([[0.5, 0.5], [0.01, 0.4], [0.3, 0.02]])
    assert progress(errors).tolist() == [[0.5, 0.5], [1.0, 0.6], [1.0, 0.98]]
