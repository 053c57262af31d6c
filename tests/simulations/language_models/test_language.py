"""Two language models, with and without skip connections."""

from dataclasses import replace

import numpy as np
import pytest

from sims.simulations.language_models import language
from sims.simulations.language_models.language import (
    KINDS,
    Language,
    frequencies,
    guessing,
    letter_spread,
    mean_chance,
    pairs,
    parameters,
)


@pytest.fixture(scope="module")
def short():
    training = Language(blocks=1, training_steps=300)
    return training, training.advance(training.start(), 60)


@pytest.mark.exhaustive
def test_both_begin_by_guessing_and_learn(short):
    training, state = short
    frame = training.frame(state)
    for kind in KINDS:
        losses = frame[f"{kind}_loss"]
        assert losses[0] == pytest.approx(guessing(), abs=0.1)
        assert losses[-1] < losses[0] - 0.5
    assert pairs() < frequencies() < guessing()


def test_a_moment_is_read_without_a_new_run(short):
    training, state = short
    frame = training.frame(state)
    assert frame.results["read_at"] == 60
    earlier = Language(blocks=1, training_steps=300, moment=1)
    assert "moment" not in Language.restarts
    reread = earlier.reread(frame)
    assert reread.results["read_at"] == 30
    assert reread.results["with_text"] == state["with"].writer.texts[1]
    assert reread.results["with_loss"] == state["with"].writer.losses[1]
    assert "30 of 300 steps" in earlier.describe(reread)


def test_a_diverged_network_is_reported_and_the_other_continues(short):
    training, state = short
    writer = state["without"].writer
    lost = replace(writer, state=replace(writer.state, finite=False, step=42))
    lost = replace(lost, steps=lost.steps[:2], losses=lost.losses[:2], texts=lost.texts[:2])
    frame = training.frame({**state, "without": replace(state["without"], writer=lost)})
    assert frame.step == 60
    assert [event.step for event in frame.diverged] == [43]
    assert np.isnan(frame["without_loss"][2])
    assert "has overflowed" in training.describe(frame)


@pytest.mark.parametrize(
    "settings",
    [
        {"skip": "rezero", "norm": "post-layer"},
        {"norm": "post-layer"},
        {"skip": "block", "norm": "post-layer", "attention": "identity"},
        {"skip": "attention", "attention": "value-skip"},
        {"skip": "feed-forward", "initialization": "own-place"},
    ],
)
def test_every_choice_begins(settings):
    training = Language(blocks=1, training_steps=300, **settings)
    assert training.frame(training.start()).step == 0


def test_numbers_of_the_written_letters(monkeypatch):
    frame = {"with_text": np.array([[0, 0, 0], [5, 7, 5]]), "with_surprise": np.log([[9, 9, 9], [2, 4, 8]])}
    monkeypatch.setattr(language, "_finished", lambda _seed: frame)
    assert mean_chance(which="with") == pytest.approx((1 / 2 + 1 / 4 + 1 / 8) / 3)
    assert letter_spread(which="with") == pytest.approx(np.log(4))


def test_the_number_of_parameters_grows_with_blocks_alone():
    assert parameters(8) - parameters(4) == 4 * (parameters(2) - parameters(1)) == 4 * (12 * 64**2 + 9 * 64)
