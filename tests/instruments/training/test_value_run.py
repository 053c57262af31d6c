"""Runs of models with values of the first layer: values that stay as they are, the same however they are cut."""

import numpy as np
import pytest

from sims.data import own_words
from sims.instruments.training.value_run import BATCH, CONTEXT, LOOKED_AT, ValueSetup, advance, batches, begin, held_out

SETUP = ValueSetup("learned", 2, 0.003, (0, 1))


def test_a_run_stays_as_it_is_and_can_be_cut_anywhere() -> None:
    begun = begin(SETUP)
    before = {name: weight.copy() for name, weight in begun.weights.items()}
    whole = advance(begun, 4, 2)
    cut = advance(advance(begun, 1, 2), 3, 2)
    assert all(np.array_equal(weight, before[name]) for name, weight in begun.weights.items())
    assert all(np.array_equal(weight, cut.weights[name]) for name, weight in whole.weights.items())
    assert [look.step for look in whole.looks] == [look.step for look in cut.looks] == [0, 2, 4]


def test_all_forms_begin_alike_in_what_they_share() -> None:
    plain, learned, shared = (begin(ValueSetup(form, 3, 0.003, (5,))) for form in ("plain", "learned", "shared"))
    for name, weights in plain.weights.items():
        assert np.array_equal(weights, learned.weights[name])
        assert name == "value" or np.array_equal(weights, shared.weights[name])
    assert np.array_equal(plain.weights["value"][:, :1], shared.weights["value"])
    assert (learned.looks[0].shares == 0.5).all()
    assert (shared.looks[0].shares == (1, 0)).all()


def test_before_training_every_symbol_is_as_likely_as_any_and_attention_listens_to_many() -> None:
    first = begin(SETUP).looks[0]
    assert first.losses == pytest.approx(np.log(len(own_words.symbols())), rel=0.05)
    assert (first.heard > 0.5 * CONTEXT / 2).all()
    assert (first.heard < CONTEXT).all()


def test_pieces_to_learn_from_and_to_look_at_are_text() -> None:
    learned, held_text = (own_words.decoded(part) for part in own_words.parts())
    chosen, later = batches((0, 1), 6, 2)
    assert chosen.shape == (2, BATCH, CONTEXT + 1)
    assert own_words.decoded(chosen[1, 3]) in learned
    assert held_out().shape == (LOOKED_AT, CONTEXT + 1)
    assert own_words.decoded(held_out()[-1]) == held_text[-CONTEXT - 1 :]
    assert chosen[0].tolist() != chosen[1].tolist() != later[1].tolist()


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="no form"):
        begin(ValueSetup("nothing", 2, 0.001, (0,)))
