"""Words that influence the chosen one light up, in another color if they are of another sentence."""

import numpy as np
import pytest

from app.pictures.base.screens import NARROW, WIDE
from app.views.language_models.attention_leaks import COLUMNS, LEAST, WHOLE, AttentionLeaksView
from sims.simulations.language_models.attention_leaks import SENTENCES, SEQUENCES, TOKENS, AttentionLeaks
from tests.showing import showing


def shown(**settings):
    simulation = AttentionLeaks(sequence=3, token=5, **settings)
    return showing(AttentionLeaksView(simulation), simulation.compute())


@pytest.fixture
def heard():
    view = shown()
    view.heard = []
    view.change_all = view.heard.append
    return view


def test_every_token_has_a_word():
    assert len(SENTENCES) == SEQUENCES
    assert {len(sentence.split()) for sentence in SENTENCES} == {TOKENS}
    assert AttentionLeaks(sequence=3, token=5).word == "what"


@pytest.mark.parametrize("screen", COLUMNS)
def test_words_of_other_sentences_light_up_in_a_color_of_their_own(screen):
    words = shown(batch_first=False)._sentences[screen].words
    assert set(words["foreign"].data["word"]) == {sentence.split()[4] for sentence in SENTENCES} - {"what"}
    assert words["own"].data["word"] == ["what"]
    assert set(words["zero"].data["number"]) == {"0"}
    words = shown(batch_first=True)._sentences[screen].words
    assert words["own"].data["word"] == SENTENCES[2].split()
    assert words["foreign"].data["word"] == []


def test_a_bar_is_a_share_of_the_largest_influence_and_none_has_no_length():
    view = shown(batch_first=True)
    words, norms = view._sentences[WIDE].words, view.simulation.compute()["gradient"][2]
    lengths = np.subtract(words["own"].data["end"], words["own"].data["x"])
    assert lengths == pytest.approx(WHOLE * np.maximum(norms / norms.max(), LEAST))
    assert np.subtract(words["zero"].data["end"], words["zero"].data["x"]).max() == 0


@pytest.mark.parametrize(("screen", "left", "top"), [(WIDE, 4, 2), (NARROW, 0, 5)])
def test_the_frame_is_around_the_word_that_is_asked(screen, left, top):
    frame = shown()._sentences[screen].frame.data
    assert [int(frame[side][0]) for side in ("left", "top")] == [left, top]


def test_a_press_on_a_word_selects_it_and_one_elsewhere_selects_none(heard):
    heard._sentences[WIDE]._on_tap(1.4, 3.6)
    heard._sentences[NARROW]._on_tap(1.4, 3.6)
    for x, y in ((-0.2, 1), (9, 1), (1, 5), (None, 1), (float("nan"), 1), ("2", 1)):
        heard._sentences[WIDE]._on_tap(x, y)
    assert heard.heard == [{"token": 2, "sequence": 4}, {"token": 6, "sequence": 2}]
