"""Skips in fewer places, and attention that is helped: what held for seeds that the page does not use."""

import numpy as np
import pytest

from sims.data import own_words
from sims.engines import language
from sims.instruments.networks.text_sampler import held_out_loss
from sims.numbers.networks import language_skips
from sims.numbers.networks.language_chain import untrained
from sims.numbers.networks.language_skips import LONG, LONG_RATE, STEPS, best_loss, ends, likeness
from sims.simulations.language_models.language import frequencies, pairs

FRESH, COUNT = 100, 10
"""The first seed that was not used to find a relation, and the number of such seeds"""


def test_every_seed_has_its_best_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"STEPS": 3, "RATES": (0.001, 0.03), "BLOCKS": 1}.items():
        monkeypatch.setattr(language_skips, name, value)
    language_skips.best_losses.cache_clear()
    by_hand = []
    for seed in range(2, 5):
        choices = {"skip": "block", "attention": "identity", "initialization": "small"}
        states = [untrained(1, seed, rate, **choices) for rate in (0.001, 0.03)]
        after = [language.advance(state, own_words.parts()[0], 3) for state in states]
        by_hand.append(min(map(held_out_loss, after)))
    each_rate = [ends("block", "identity", "small", rate, 3, seed=2) for rate in (0.001, 0.03)]
    assert np.min(each_rate, axis=0) == pytest.approx(by_hand)
    lowest, median, highest = (
        best_loss("block", "identity", "small", statistic=which) for which in ("lowest", "median", "highest")
    )
    assert lowest <= median <= highest
    language_skips.best_losses.cache_clear()
    ends.cache_clear()


@pytest.mark.exhaustive
def test_places_are_alike_wherever_a_mixture_replaces_the_stream() -> None:
    for seed in range(FRESH, FRESH + COUNT):
        unlike = [likeness(skip=skip, seed=seed) for skip in ("additive", "block")]
        alike = [likeness(skip=skip, seed=seed) for skip in ("none", "feed-forward")]
        assert max(unlike) < 0.95 < 0.97 < min(alike)
        assert likeness(attention="value-skip", seed=seed) == likeness(attention="identity", seed=seed) < 0.7


@pytest.mark.exhaustive
def test_without_averaging_a_plain_model_learns_pairs_of_letters() -> None:
    usual, own, helped = (
        ends("none", attention, "variance-preserving", 0.001, STEPS, COUNT, FRESH)
        for attention in ("softmax", "identity", "value-skip")
    )
    assert usual.min() > frequencies() - 0.1
    assert max(own.max(), helped.max()) < frequencies() - 0.4


@pytest.mark.exhaustive
def test_one_skip_around_both_branches_is_nearly_as_good_and_around_one_is_not() -> None:
    both = ends("block", "softmax", "variance-preserving", 0.003, STEPS, COUNT, FRESH)
    assert both.max() < pairs() - 0.1
    feed_forward = ends("feed-forward", "softmax", "variance-preserving", 0.001, STEPS, COUNT, FRESH)
    assert feed_forward.min() > frequencies() - 0.1


@pytest.mark.exhaustive
def test_four_times_as_many_steps_take_it_past_pairs_of_letters() -> None:
    helped = ends("none", "value-skip", "variance-preserving", LONG_RATE, LONG, 5, FRESH)
    assert helped.max() < pairs() - 0.3
