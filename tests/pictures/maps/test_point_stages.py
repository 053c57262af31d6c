"""Small pictures of points, one for each block: all points are in their places, and a press chooses a picture."""

import numpy as np
import pytest
from bokeh.events import Tap

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.maps.point_stages import COLUMNS, PointStages

COUNT = 9
CLASSES = np.array([0, 1, 1])


@pytest.fixture
def pressed() -> list[int]:
    return []


@pytest.fixture
def stages(pressed: list[int]) -> PointStages:
    drawn = PointStages("Points", "before", COUNT, pressed.append)
    corners = np.tile([-1.0, 1.0, 0.5], (COUNT, 1))
    drawn.show(corners, corners, CLASSES, chosen=4)
    return drawn


@pytest.mark.parametrize("screen", [WIDE, NARROW])
def test_points_are_inside_their_own_picture(stages: PointStages, screen: str) -> None:
    for name, source in enumerate(stages.points[screen]):
        places = np.floor(source.data["x"]) + COLUMNS[screen] * np.floor(-np.array(source.data["y"]))
        assert places.tolist() == np.repeat(range(COUNT), (name == CLASSES).sum()).tolist()


@pytest.mark.parametrize("screen", [WIDE, NARROW])
def test_one_picture_is_framed(stages: PointStages, screen: str) -> None:
    assert stages.frames[screen].source.data["alpha"] == [0, 0, 0, 0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(("x", "y", "chosen"), [(0.5, -0.5, [0]), (4.5, -1.5, []), (3.5, -1.5, [8]), (5.5, -0.5, [])])
def test_a_press_on_a_phone_chooses_the_picture_there(
    stages: PointStages, pressed: list[int], x: float, y: float, chosen: list[int]
) -> None:
    chart = stages.figures[list(COLUMNS).index(NARROW)]
    for callback in chart._event_callbacks[Tap.event_name]:
        callback(Tap(chart, x=x, y=y))
    assert pressed == chosen
