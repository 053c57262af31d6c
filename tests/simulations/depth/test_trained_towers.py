"""What training makes of the towers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sims.comparisons.trained_recipes import RECIPES
from sims.simulations.depth.trained_towers import TrainedTowers

SMALL: dict[str, Any] = {"depth": 16, "seeds": 2, "training_steps": 50}
PLACE = {recipe: at for at, recipe in enumerate(RECIPES)}


@pytest.fixture(scope="module")
def trained():
    simulation = TrainedTowers(**SMALL)
    state = simulation.advance(simulation.start(), 50)
    return simulation, state, simulation.frame(state)


@pytest.mark.exhaustive
def test_a_frame_holds_the_looks_of_all_seeds(trained):
    _, state, frame = trained
    assert frame["steps"].tolist() == list(range(0, 51, 5))
    for recipe, at in PLACE.items():
        run = state[recipe]
        assert frame["stream_now"][at].tolist() == np.median(run.now.stream, axis=0).tolist()
        assert frame["gradient_start_high"][at].tolist() == run.start.gradient.max(axis=0).tolist()
        assert frame["first_now_low"][at].tolist() == run.now.first.min(axis=0).tolist()
        assert frame["loss"][at].tolist() == np.median(run.losses, axis=1).tolist()
        assert frame.results[f"{recipe.replace('-', '_')}_loss"] == frame["loss"][at, -1]


@pytest.mark.exhaustive
@pytest.mark.parametrize("recipe", ["fixup", "rezero"])
def test_what_begins_at_the_identity_leaves_it(trained, recipe):
    frame, at = trained[2], PLACE[recipe]
    assert (frame["stream_start"][at] == 1).all()
    assert (frame["gradient_start"][at] == 1).all()
    assert (frame["first_start"][at] == 0).all()
    assert frame["stream_now_low"][at, -1] > 1.05
    assert (frame["first_now_low"][at] > 0).all()


@pytest.mark.exhaustive
def test_the_branches_of_layer_scale_begin_at_nearly_nothing_and_grow(trained):
    frame, at = trained[2], PLACE["layer-scale"]
    assert frame["stream_start"][at] == pytest.approx(1, abs=1e-3)
    assert frame["stream_now_low"][at, -1] > 1.01


@pytest.mark.exhaustive
def test_every_recipe_learns_at_sixteen_blocks(trained):
    frame = trained[2]
    assert (frame["loss_high"][:, -1] < frame["loss_low"][:, 0]).all()


def test_the_words_name_the_chosen_recipe():
    simulation, other = TrainedTowers(**SMALL), TrainedTowers(**SMALL, recipe="deep")
    state = simulation.advance(simulation.start(), 5)
    frame = simulation.frame(state)
    assert "With 1/√L" in simulation.describe(frame)
    assert "With DeepNorm" in other.describe(frame)
    assert other.frame(state).json() == frame.json()


@pytest.mark.exhaustive
def test_a_loss_that_is_no_number_is_said(trained):
    simulation, state, _frame = trained
    broken = replace(state["one"], losses=(*state["one"].losses[:-1], np.array([np.nan, 1.0])))
    [lost] = simulation.frame({**state, "one": broken}).diverged
    assert lost.step == 50
    assert "α = 1" in str(lost)
