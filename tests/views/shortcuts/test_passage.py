"""Points stand where the streams are, and travel from block to block when the page plays."""

import numpy as np
import pytest

from app.views.shortcuts.passage import PassageView, journeys, to_scale
from sims.contract.frame import Frame
from sims.simulations.shortcuts.passage import BLOCKS, SHOWN, Passage
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def frame() -> Frame:
    simulation = Passage(**shortest(Passage))
    return simulation.frame(simulation.start())


@pytest.mark.parametrize("block", [0, 3, BLOCKS])
def test_points_are_after_the_selected_block(frame: Frame, block: int) -> None:
    view = showing(PassageView(Passage(block=block)), frame)
    for name, standing in view._standing.items():
        for axis, values in (("x", frame["across"][block]), ("y", frame["upward"][block])):
            expected = values[frame["classes"] == name] / np.abs(values).max()
            assert standing.seen(axis) == pytest.approx(expected, abs=1e-3)
    assert view._now.data["moment"] == [block]


def test_every_point_travels_once_in_every_moment(frame: Frame) -> None:
    view = showing(PassageView(Passage()), frame)
    moments = np.concatenate([moving.source.data["moment"] for moving in view._moving.values()])
    assert np.bincount(moments).tolist() == [0, *[SHOWN] * BLOCKS]


def test_a_line_ends_at_every_point_that_a_block_has_moved(frame: Frame) -> None:
    view = showing(PassageView(Passage(block=2)), frame)
    for name, tails in view._tails.items():
        data = tails.source.data
        visible = [at for at, alpha in enumerate(data["alpha"]) if alpha > 0]
        assert [data["first"][at] for at in visible] == [2] * int((frame["classes"] == name).sum())
        assert [data["x1"][at] for at in visible] == view._standing[name].seen("x")


def test_a_journey_goes_from_a_place_to_the_next() -> None:
    first, second = journeys([(0.0, 0.0), (1.0, 2.0), (1.0, 3.0)])
    assert (first.curve[:4], second.curve[:4]) == ((0, 0, 1, 2), (1, 2, 1, 3))
    assert (first.moment, second.moment) == (1, 2)


def test_every_block_has_its_own_scale_and_what_is_not_finite_has_none() -> None:
    values = np.array([[1.0, -2.0], [30.0, 10.0], [np.inf, 1.0], [0.0, 0.0]])
    assert to_scale(values) == pytest.approx(np.array([[0.5, -1], [1, 0.333], [0, 0], [0, 0]]))
