"""A language model that is looked at while it learns."""

import numpy as np
import pytest
import torch

from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe, streams
from sims.instruments.networks.text_sampler import (
    LENGTH,
    Writer,
    advanced,
    begin,
    cross_entropy,
    held_out_loss,
    pieces,
    softmax,
    written,
)
from sims.pytorch.models.language_model import loaded

MODEL = LanguageModel(1, len(own_words.symbols()), width=16, heads=2, context=16)


@pytest.fixture(scope="module")
def writer() -> Writer:
    return advanced(begin(MODEL, LanguageRecipe(batch=16), 0, "The "), 40, 20)


def test_it_is_looked_at_in_time_and_learns(writer: Writer) -> None:
    assert writer.steps == (0, 20, 40)
    assert len(writer.losses) == len(writer.texts) == 3
    assert {len(text) for text in (*writer.texts, *writer.surprises)} == {LENGTH}
    assert np.mean(writer.surprises[2]) < np.mean(writer.surprises[0]) - 0.3
    assert writer.losses[2] < writer.losses[0] - 0.3
    assert len(set(writer.texts)) == 3


def test_a_run_is_the_same_however_it_is_cut(writer: Writer) -> None:
    cut = begin(MODEL, LanguageRecipe(batch=16), 0, "The ")
    for steps in (7, 20, 13):
        cut = advanced(cut, steps, 20)
    assert cut.texts == writer.texts
    assert cut.losses == writer.losses


def test_the_loss_is_torchs(writer: Writer) -> None:
    symbols, answers = pieces(own_words.parts()[1], 16)
    network = loaded(MODEL, writer.state.parameters.astype(np.float64))
    logits = network(torch.tensor(symbols))
    expected = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.tensor(answers).flatten())
    assert held_out_loss(writer.state) == pytest.approx(expected.item(), rel=1e-4)
    assert cross_entropy(logits.detach().numpy(), answers) == pytest.approx(expected.item(), rel=1e-9)


def test_what_is_written_is_drawn_from_the_models_own_shares(writer: Writer) -> None:
    text, own = written(writer.state, "The ", length=30)
    again, _ = written(writer.state, "The ", length=20)
    assert text.startswith(again)
    _, logits = streams(writer.state, own_words.encoded(("The " + text)[:16])[None])
    shares = softmax(logits[0, 3] / 0.7)
    assert shares == pytest.approx(torch.softmax(torch.tensor(logits[0, 3]) / 0.7, 0).numpy(), rel=1e-4)
    chances = np.cumsum(shares)
    first = int(np.searchsorted(chances, np.random.default_rng(0).random()))
    assert text[0] == own_words.symbols()[first]
    surprise = torch.nn.functional.cross_entropy(torch.tensor(logits[0, 3]), torch.tensor(first))
    assert own[0] == pytest.approx(surprise.item(), rel=1e-5)


def test_a_model_that_fails_is_looked_at_no_more() -> None:
    lost = advanced(begin(MODEL, LanguageRecipe(learning_rate=1e30, warmup=1), 0, "The "), 40, 20)
    assert not lost.state.finite
    assert lost.steps == (0,)
