"""One row holds some towers and the chosen one, which is measured."""

import numpy as np
import pytest

from app.views.depth.trained_towers import NAMES, SHOWN, TrainedTowersView
from sims.comparisons.trained_recipes import RECIPES
from sims.simulations.depth.trained_towers import TrainedTowers
from tests.first_frame import first_frame
from tests.showing import showing


@pytest.fixture(scope="module")
def trained():
    return first_frame(TrainedTowers())


def shown(frame, **settings):
    return showing(TrainedTowersView(TrainedTowers(**settings)), frame)


@pytest.mark.parametrize(("recipe", "first"), [("post", "one"), ("fixup", "fixup")])
def test_the_chosen_recipe_is_in_the_row(trained, recipe, first):
    row = shown(trained, recipe=recipe)._row
    labels = [RECIPES[name].label for name in (first, *SHOWN[1:])]
    assert [text.replace("\n", " ").replace(" ", "") for text in row._words["name"].data["text"]] == [
        label.replace(" ", "") for label in labels
    ]
    assert len(row._chosen.data["left"]) == 1


@pytest.mark.exhaustive
def test_the_chosen_recipe_is_measured(trained):
    view = shown(trained, recipe="post")
    place = NAMES.index("post")
    assert view._curves["gradient"].source.data["now"].tolist() == trained["gradient_now"][place].tolist()
    assert view._curves["stream"].source.data["x"].tolist() == list(range(65))
    assert view._curves["last"].source.data["x"].tolist() == list(range(1, 65))
    assert view._chosen.data["y"].tolist() == trained["loss"][place].tolist()


def test_a_gradient_of_exactly_zero_is_no_point_of_a_logarithmic_line(trained):
    view = shown(trained, recipe="rezero")
    assert np.isnan(view._curves["first"].source.data["start"]).all()


def test_a_press_chooses_a_recipe(trained):
    view, heard = shown(trained), []
    view.change = lambda name, value: heard.append((name, value))
    view._row._pressed(SHOWN.index("post"))
    assert heard == [("recipe", "post")]


def test_the_loss_is_under_its_tower(trained):
    texts = shown(trained)._row._words["loss"].data["text"][1:]
    losses = [trained["loss"][NAMES.index(recipe), -1] for recipe in SHOWN[1:]]
    assert [float(text) for text in texts] == pytest.approx(losses, rel=0.06)
