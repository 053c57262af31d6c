"""A row for each ancestor, and the drawing of the chosen one."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.pictures.diagrams.block_drawing import PLANS
from app.views.wiring.ancestors import HIGHEST, LOWEST, NAMES, AncestorsView
from sims.comparisons.ancestors import ANCESTORS
from sims.simulations.wiring.ancestors import Ancestors
from tests.first_frame import first_frame
from tests.showing import showing


@pytest.fixture(scope="module")
def frame():
    return first_frame(Ancestors())


def shown(frame, **settings):
    return showing(AncestorsView(Ancestors(**settings)), frame)


@pytest.mark.exhaustive
def test_the_plain_one_has_a_mark_of_its_own(frame):
    view = shown(frame)
    assert view._plain.data["y"].tolist() == [0]
    assert view._dots.data["y"].tolist() == [-row for row in range(1, len(NAMES))]
    assert view._dots.data["x"] == pytest.approx(np.clip(frame["losses"][1:, -1], LOWEST, HIGHEST))
    assert view._fits.data["text"][0] == f"fit {frame['fits'][0]}/{Ancestors().seeds}"


def test_the_seeds_that_fit_are_right_of_the_rows(frame):
    chart, view = AncestorsView(Ancestors()).draw()[0], shown(frame)
    # Where the lines of the grid end.
    assert set(view._fits.data["x"]) == {chart.x_range.end}
    assert chart.min_border_right > 0
    assert chart.x_range.end < 2 * HIGHEST


@pytest.mark.exhaustive
def test_the_chosen_block_is_drawn_with_its_rule(frame):
    view = shown(frame, block="rezero")
    assert view._drawing._rule.data["text"] == [ANCESTORS["rezero"].rule]
    assert view._row.data["top"] == [-NAMES.index("rezero") + 0.5]
    assert view._curves.source.data["chosen"][-1] == pytest.approx(
        np.clip(frame["losses"][NAMES.index("rezero"), -1], LOWEST, HIGHEST)
    )
    assert np.isnan(shown(frame, block="plain")._curves.source.data["chosen"]).all()


def test_there_is_a_drawing_for_every_ancestor():
    assert list(PLANS) == list(ANCESTORS)


def test_a_press_chooses_a_row(frame):
    view, heard = shown(frame), []
    view.change = lambda name, value: heard.append((name, value))
    view._on_tap(SimpleNamespace(x=1.0, y=-4.2))
    view._on_tap(SimpleNamespace(x=1.0, y=-40.0))
    view._on_tap(SimpleNamespace(x=None, y=None))
    assert heard == [("block", NAMES[4])]
