"""The race: who runs, what is measured, and what is said about it."""

from dataclasses import replace

import numpy as np
import pytest

from sims.comparisons.entrants import ENTRANTS, FIELDS, architecture
from sims.engines import transformers
from sims.instruments.gradients.gradient_ratio import gradient_ratio, slope
from sims.simulations.design_choices.arena import Arena

QUICK = {"depth": 4, "seeds": 2, "training_steps": 100}


@pytest.mark.parametrize("field", FIELDS)
def test_all_entrants_take_the_same_steps_with_the_same_seeds(field):
    race = Arena(**QUICK, field=field)
    state = race.advance(race.start(), 7)
    assert tuple(state) == FIELDS[field]
    assert {lane.run.step for lane in state.values()} == {7}
    assert {lane.run.seeds for lane in state.values()} == {(0, 1)}
    assert {lane.run.recipe for lane in state.values()} == {next(iter(state.values())).run.recipe}


@pytest.mark.parametrize("task", ["spirals", "digits"])
@pytest.mark.parametrize("depth", [4, 64])
@pytest.mark.parametrize("initialization", ["default", "he", "xavier"])
def test_every_entrant_exists_at_every_depth(task, depth, initialization):
    for name in ENTRANTS:
        network = architecture(name, task, depth, initialization, "1/blocks")
        assert (network.depth if isinstance(network, transformers.Transformer) else network.blocks) == depth


def test_times_are_measured_for_each_chunk_and_nothing_else_depends_on_them():
    race = Arena(**QUICK)
    state = race.advance(race.advance(race.start(), 3), 2)
    assert all(len(lane.seconds) == 4 and min(lane.seconds) > 0 for lane in state.values())
    slow = {name: replace(lane, seconds=(99.0, 100.0)) for name, lane in state.items()}
    one, other = race.frame(state), race.frame(slow)
    assert other.results["plain_milliseconds"] == 99_000
    assert {key for key in one.results if one.results[key] != other.results[key]} == {
        f"{name}_milliseconds" for name in race.entrants
    }


@pytest.mark.exhaustive
def test_the_podium_is_in_the_frame_and_in_words():
    race = Arena(**QUICK, field="norms")
    frame = race.compute()
    assert "residual, Pre-LN" in str(frame.results["winner"])
    assert frame.results["residual_pre_place"] == 1
    assert frame.results["residual_pre_finishers"] == 2
    assert "1. residual, Pre-LN (2 of 2 at step" in race.describe(frame)
    places = frame["places"]
    assert np.all(frame["finishers"][places == 1] == 2)


@pytest.mark.exhaustive
def test_a_plain_network_without_gradient_is_distinguished_from_a_slow_one():
    race = Arena(depth=64, seeds=1, training_steps=100, field="skips")
    frame = race.compute()
    assert "plain (next to no gradient reaches its first block)" in race.describe(frame)
    assert frame["health"][0] == "fading"


@pytest.mark.exhaustive
def test_an_entrant_that_diverges_has_a_card_and_the_others_go_on():
    race = Arena(depth=32, seeds=1, training_steps=100, initialization="he", optimizer="sgd", learning_rate=0.1)
    frame = race.compute()
    assert frame.step == 100
    lost = {event.quantity.split(" of the ")[-1] for event in frame.diverged}
    assert "residual network (its seed)" in lost
    assert np.isfinite(frame["transformer_pre_train_loss"]).all()
    assert "residual (overflowed)" in race.describe(frame) or frame.results["winner"] == "nobody yet"


@pytest.mark.parametrize(
    ("ratio", "kind"), [(1.0, "level"), (0.05, "fading"), (30.0, "growing"), (0.0, "zero"), (np.nan, "growing")]
)
def test_kinds_of_gradients(ratio, kind):
    assert slope(ratio) == kind


def test_rezero_starts_with_a_level_gradient():
    race = Arena(**QUICK, field="skips")
    assert gradient_ratio(race.start()["rezero"].run.now) == 1.0


def test_the_whole_race_is_in_the_frame_with_a_map_for_every_record():
    race = Arena(**QUICK)
    state = race.advance(race.start(), 10)
    frame = race.frame(state)
    assert frame["steps"].tolist() == [0, 2, 4, 6, 8, 10]
    for name in race.entrants:
        errors = np.stack([record.train_error for record in state[name].run.records])
        assert frame[f"{name}_progress"].tolist() == np.median(1 - errors, axis=1).tolist()
        assert frame[f"{name}_maps"].shape == (6, 24, 24)
    assert frame.results["guessing"] == 0.5
    digits = Arena(**QUICK, task="digits")
    assert "plain_maps" not in digits.frame(digits.start()).quantities
