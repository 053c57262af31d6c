"""Two rows hold all towers; the chosen one is measured."""

import numpy as np
import pytest

from app.views.depth.trained_towers import NAMES, ROWS, TrainedTowersView
from sims.comparisons.trained_recipes import RECIPES, setup
from sims.simulations.depth.trained_towers import TrainedTowers
from tests.first_frame import first_frame


@pytest.fixture(scope="module")
def trained():
    return first_frame(TrainedTowers())


def shown(frame, **settings):
    view = TrainedTowersView(TrainedTowers(**settings))
    view.figures()
    view.update(frame)
    return view


def test_the_rows_part_the_recipes_by_whether_they_have_a_norm():
    without, norms = ROWS.values()
    assert [*without, *norms] == list(RECIPES)
    for recipe in RECIPES:
        rules = setup(recipe, 4, 0.001, (0,)).rules
        assert (rules.norm_in or rules.norm_sum) == (recipe in norms)


@pytest.mark.exhaustive
def test_the_chosen_recipe_is_measured(trained):
    view = shown(trained, recipe="post")
    place = NAMES.index("post")
    assert view._curves["gradient"].source.data["now"].tolist() == trained["gradient_now"][place].tolist()
    assert view._curves["stream"].source.data["x"].tolist() == list(range(65))
    assert view._curves["last"].source.data["x"].tolist() == list(range(1, 65))
    assert view._chosen.data["y"].tolist() == trained["loss"][place].tolist()
    assert [len(row._chosen.data["left"]) for row in view._rows] == [0, 1]


def test_a_gradient_of_exactly_zero_is_no_point_of_a_logarithmic_line(trained):
    view = shown(trained, recipe="rezero")
    assert np.isnan(view._curves["first"].source.data["start"]).all()


def test_a_press_chooses_a_recipe(trained):
    view, heard = shown(trained), []
    view.change = lambda name, value: heard.append((name, value))
    view._rows[1]._pressed(3)
    assert heard == [("recipe", "post")]


def test_the_loss_stands_under_its_tower(trained):
    texts = shown(trained)._rows[1]._words["loss"].data["text"]
    assert [float(text) for text in texts] == pytest.approx(trained["loss"][5:, -1], rel=0.06)
