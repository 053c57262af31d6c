"""A GPT whose plus signs can be taken out: its signals are torch's, and what the page says of them."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from sims.data import own_words
from sims.engines.language import LanguageRecipe, start
from sims.instruments.networks.weighted_passes import angle
from sims.instruments.stacks.language_passes import PIECES, language_passes
from sims.pytorch.models.language_model import loaded
from sims.simulations.language_models import language_tower
from sims.simulations.language_models.language_tower import CUTS, LanguageTower

OTHER_SEEDS = range(1000, 1005)
"""None was used to find what the page says"""


def ends(seed: int, **settings: str) -> dict[str, float | int | str]:
    return dict(LanguageTower(seed=seed, **settings).compute().results)


@pytest.mark.parametrize("attention", ["softmax", "identity"])
@pytest.mark.parametrize("cut", ["", "2, 3", "1-16"])
def test_the_signals_are_those_of_torch(cut: str, attention: str) -> None:
    model = LanguageTower(cut=cut, blocks=2, attention=attention).model()
    network = loaded(model, start(model, LanguageRecipe(), 5, np.float64).parameters)
    text = own_words.parts()[1]
    starts = np.linspace(0, len(text) - model.context - 1, PIECES).astype(int)
    cuts = torch.tensor(np.stack([text[first : first + model.context + 1] for first in starts]))
    stream = network.continued([network.symbols(cuts[:, :-1]) + network.places])
    logits = network.head(stream[-1])
    gradients = torch.autograd.grad(cross_entropy(logits.flatten(0, 1), cuts[:, 1:].flatten()), stream)
    sizes, norms = ([float(values.detach().norm()) for values in some] for some in (stream, gradients))
    different = ~torch.eye(model.context, dtype=torch.bool)
    alike = []
    for place in stream:
        unit = torch.nn.functional.normalize(place, dim=-1)
        alike.append(float((unit @ unit.mT).detach()[:, different].mean()))
    signals = language_passes(model, 5)
    assert signals["stream"] == pytest.approx(np.divide(sizes, sizes[0]), rel=1e-4)
    assert signals["gradient"] == pytest.approx(np.divide(norms, norms[-1]), rel=1e-4)
    assert signals["likeness"] == pytest.approx(alike, rel=1e-4)


def test_without_plus_signs_positions_become_alike_and_nothing_fades() -> None:
    whole, plain = ([ends(seed, cut=CUTS[cut]) for seed in OTHER_SEEDS] for cut in ("none", "all"))
    assert all(30 < one["apart"] < 45 for one in whole)
    assert all(one["apart"] < 10 for one in plain)
    assert all(one["stream"] > 10 and one["gradient"] > 10 for one in (*whole, *plain))


def test_plus_signs_around_attention_keep_positions_further_apart_than_those_around_feed_forward() -> None:
    attention, feed = (
        [ends(seed, cut=CUTS[cut])["apart"] for seed in OTHER_SEEDS] for cut in ("feed-forward", "attention")
    )
    assert min(attention) > max(feed)


def test_attention_that_does_not_mix_keeps_positions_apart_without_plus_signs() -> None:
    assert all(ends(seed, cut=CUTS["all"], attention="identity")["apart"] > 40 for seed in OTHER_SEEDS)


def test_numbers_of_the_text_are_those_of_the_figure() -> None:
    frame = LanguageTower(cut="1-16", blocks=2).compute()
    readings = [language_tower.reading("apart", which, cut="1-16", blocks=2) for which in ("lowest", "highest")]
    assert readings[0] <= frame.results["apart"] <= readings[1]
    assert frame.results["apart"] == angle(float(frame["likeness"][-1]))
    assert frame.results["gradient"] == frame["gradient"][0]


def test_the_words_name_the_plus_signs_and_what_attention_reads() -> None:
    simulation = LanguageTower(blocks=2, cut="1", attention="identity")
    text = simulation.describe(simulation.compute())
    assert text.startswith("With 3 of 4 plus signs, where attention reads its own position only: the stream")
    assert "reaches the embedding" in text
    assert "2 blocks" in simulation.disclosure().network
