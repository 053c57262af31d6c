"""A row of small towers is as wide as its sizes, now and before, and says which one was pressed."""

import numpy as np
import pytest
from bokeh.events import Tap

from app.pictures.diagrams.tower_row import APART, FINE_DECADES, MOST_DECADES, SmallTower, TowerRow
from app.pictures.diagrams.towers import width

SIZES = {"stream": np.array([1.0, 2.0, 4.0]), "gradient": np.array([0.5, 1.0, 1.0])}
ONES = {"stream": np.ones(3), "gradient": np.ones(3)}


def tower(name: str = "Pre-LN", now: dict[str, np.ndarray] = SIZES) -> SmallTower:
    return SmallTower(name, ONES, now, "↑ 4", "↓ 0.5", "0.1")


def row(*towers: SmallTower, chosen: int | None = None) -> TowerRow:
    tower_row = TowerRow("A row", len(towers), lambda at: None)
    tower_row.show(towers, chosen)
    return tower_row


def test_halves_are_as_wide_as_their_sizes_with_dotted_lines_for_before():
    towers = row(tower(), tower())
    for at in range(2):
        for half, way in (("stream", -1), ("gradient", 1)):
            outline = towers._halves[half].data["x"][at]
            assert outline[:3] == pytest.approx(at * APART + way * width(SIZES[half], MOST_DECADES, FINE_DECADES))
            assert outline[3:].tolist() == [at * APART] * 3
    assert len(towers._before.data["x"]) == 4
    assert towers._before.data["y"][0].tolist() == [0, 0.5, 1]


def test_what_is_not_finite_is_not_drawn():
    towers = row(tower(now={"stream": np.array([1.0, np.inf, np.nan]), "gradient": np.full(3, np.nan)}))
    assert len(towers._halves["stream"].data["x"][0]) == 2
    assert len(towers._halves["gradient"].data["x"][0]) == 0


@pytest.mark.parametrize(
    ("name", "lines"), [("LayerNorm Scaling", "LayerNorm\nScaling"), ("DeepNorm", "Deep\nNorm"), ("Post-LN", "Post-LN")]
)
def test_long_names_have_two_lines(name, lines):
    assert row(tower(name))._words["name"].data["text"] == [lines]


def test_the_chosen_tower_is_on_its_own_ground():
    assert row(tower(), tower(), chosen=1)._chosen.data["left"] == [APART / 2]
    assert row(tower(), tower())._chosen.data["left"] == []


def test_a_press_names_the_nearest_tower():
    heard = []
    tower_row = TowerRow("A row", 3, heard.append)
    for x in (-5.0, 0.9 * APART, 99.0, None):
        tower_row._on_tap(Tap(tower_row.figure, x=x, y=0.5))
    assert heard == [0, 1, 2]
