"""Runs of stream forms: values that stay as they are, the same however they are cut, looked at in equal steps."""

import numpy as np
import pytest

from sims.instruments.training.form_run import BATCH, FormSetup, advance, batches, begin

SETUP = FormSetup("attention", 3, 0.0, 0.003, (0, 1))


def test_a_run_stays_as_it_is_and_can_be_cut_anywhere() -> None:
    begun = begin(SETUP)
    before = {name: weight.copy() for name, weight in begun.weights.items()}
    whole = advance(begun, 6, 2)
    cut = advance(advance(begun, 1, 2), 5, 2)
    assert all(np.array_equal(weight, before[name]) for name, weight in begun.weights.items())
    assert all(np.array_equal(weight, cut.weights[name]) for name, weight in whole.weights.items())
    assert [look.step for look in whole.looks] == [look.step for look in cut.looks] == [0, 2, 4, 6]


def test_all_forms_begin_with_the_same_blocks_and_learn() -> None:
    runs = {form: begin(FormSetup(form, 3, 6.0, 0.003, (0,))) for form in ("sum", "free", "doubly")}
    assert len({run.weights["first"].tobytes() for run in runs.values()}) == 1
    later = advance(runs["free"], 40, 20)
    assert later.looks[-1].losses[0] < 0.7 * later.looks[0].losses[0]


def test_blocks_read_all_lanes_alike_before_training_and_none_without_lanes() -> None:
    lanes, none = (begin(FormSetup(form, 4, 6.0, 0.003, (0, 1))).looks[0].read for form in ("doubly", "sum"))
    assert lanes == pytest.approx(np.full((2, 4), 0.25))
    assert none.shape == (2, 0)


def test_a_batch_has_no_image_twice_and_every_seed_its_own() -> None:
    chosen, later = batches((0, 1), 500, 4, 2)
    assert chosen.shape == (2, BATCH)
    assert all(len(set(row)) == BATCH for row in chosen.tolist())
    assert chosen[0].tolist() != chosen[1].tolist() != later[1].tolist()
    assert chosen[1].tolist() == np.random.default_rng((1, 1, 5)).choice(500, BATCH, replace=False).tolist()


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(KeyError):
        begin(FormSetup("nothing", 2, 0.0, 0.001, (0,)))
