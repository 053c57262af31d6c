"""The rule of the podium."""

import numpy as np
import pytest

from sims.comparisons.standings import Score, places, progress, score


def test_a_seed_finishes_at_its_first_record_under_the_line():
    errors = np.array([[0.5, 0.5, 0.5], [0.3, 0.01, 0.5], [0.019, 0.4, 0.02]])
    found = score([0, 5, 10], errors, np.array([0.1, np.inf, 0.3]))
    assert found.finished == (5, 10)
    assert found.step == 7.5
    assert found.losses == (0.1, 0.3, np.inf)
    assert found.loss == 0.3


def test_more_finished_seeds_then_fewer_steps_then_less_loss():
    scores = {
        "none, high": Score(3, (), (5.0, 6.0, 7.0)),
        "two": Score(3, (1, 2), (0.0, 0.0, 0.0)),
        "three, late": Score(3, (80, 90, 100), (0.0, 0.0, 0.0)),
        "three, early": Score(3, (10, 20, 30), (0.0, 0.0, 0.0)),
        "none, low": Score(3, (), (1.0, 2.0, 3.0)),
    }
    assert places(scores) == {"three, early": 1, "three, late": 2, "two": 3, "none, low": 4, "none, high": 5}


def test_overlapping_seeds_share_a_place_with_the_leader_only():
    scores = {
        "a": Score(2, (10, 30), (0.0, 0.0)),
        "b": Score(2, (20, 60), (0.0, 0.0)),
        "c": Score(2, (40, 70), (0.0, 0.0)),
    }
    assert places(scores) == {"a": 1, "b": 1, "c": 3}


@pytest.mark.parametrize("losses", [(np.inf, np.inf), (0.5, np.inf)])
def test_lost_seeds_rank_last_and_never_break_the_order(losses):
    scores = {"lost": Score(2, (), losses), "stuck": Score(2, (), (0.3, 0.4))}
    assert places(scores) == {"stuck": 1, "lost": 2}


def test_a_seed_that_has_crossed_the_line_stays_across():
    errors = np.array([[0.5, 0.5], [0.01, 0.4], [0.3, 0.02]])
    assert progress(errors).tolist() == [[0.5, 0.5], [1.0, 0.6], [1.0, 0.98]]
