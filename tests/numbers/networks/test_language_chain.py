"""The chain without plus signs: its training loss, and what the initial weights do to its positions."""

import numpy as np
import pytest

from sims.data import own_words
from sims.engines import language
from sims.engines.language import LanguageModel, LanguageRecipe
from sims.numbers.networks import language_chain
from sims.numbers.networks.language_chain import likeness_at_start, training_loss


def test_the_weights_of_gpt_2_make_the_places_of_a_text_more_alike_in_a_chain_and_less_with_plus_signs() -> None:
    chain, stream = (
        [likeness_at_start(which=which, initialization=start) for start in ("variance-preserving", "small")]
        for which in ("without", "with")
    )
    assert chain[0] < chain[1] < 1
    assert stream[1] < stream[0]


def test_the_training_loss_is_that_of_the_last_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"STEPS": 12, "LAST": 4, "SEEDS": 2}.items():
        monkeypatch.setattr(language_chain, name, value)
    model = LanguageModel(
        1, len(own_words.symbols()), skip="none", norm="pre-layer", initialization="variance-preserving"
    )
    ends = []
    for seed in range(2):
        state = language.advance(language.start(model, LanguageRecipe(), seed), own_words.parts()[0], 12)
        ends.append(np.mean(state.losses[8:]))
    assert training_loss(which="without", blocks=1, statistic="lowest") == pytest.approx(min(ends))
    assert training_loss(which="without", blocks=1, statistic="highest") == pytest.approx(max(ends))
