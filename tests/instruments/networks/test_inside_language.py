"""Looking into a language model."""

import numpy as np
import pytest

from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe, streams
from sims.instruments.networks.inside_language import SENTENCE, Inside, inside, read
from sims.instruments.networks.text_sampler import Writer, advanced, begin, held_out_loss, pieces

MODEL = LanguageModel(2, len(own_words.symbols()), width=32, heads=2, context=16)


@pytest.fixture(scope="module")
def writer() -> Writer:
    return advanced(begin(MODEL, LanguageRecipe(), 0, "The "), 80, 80)


@pytest.fixture(scope="module")
def seen(writer: Writer) -> Inside:
    return inside(writer.state)


def test_read_at_the_end_the_stream_gives_the_models_own_answers(writer: Writer, seen: Inside) -> None:
    symbols, _ = pieces(own_words.parts()[1], 16)
    stream, logits = streams(writer.state, symbols)
    assert read(writer.state, stream[-1]) == pytest.approx(logits, abs=1e-4)
    assert seen.early[-1] == pytest.approx(held_out_loss(writer.state), rel=1e-4)
    assert seen.early[-1] < seen.early[0]


def test_every_place_has_a_draft_a_gradient_and_a_likeness(seen: Inside) -> None:
    assert len(SENTENCE) >= 64
    assert len(seen.drafts) == len(seen.gradients) == len(seen.likeness) == MODEL.branches + 1
    assert {len(draft) for draft in seen.drafts} == {16}
    assert (seen.gradients > 0).all()
    assert (np.abs(seen.likeness) <= 1).all()


def test_a_branch_that_is_knocked_out_is_missed(writer: Writer, seen: Inside) -> None:
    assert len(seen.without) == MODEL.branches
    assert seen.without.max() > 0.01
