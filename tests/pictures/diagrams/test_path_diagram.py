"""The picture of all paths: every line joins, nothing overlaps that need not, and a drag means what it shows."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.pictures.diagrams.path_diagram import KINDS, PathDiagram, routes
from app.views.gradients.paths import PathsView
from sims.simulations.gradients.paths import Paths


@pytest.mark.parametrize("blocks", [1, 2, 5, 10])
def test_every_line_begins_where_another_ended(blocks: int) -> None:
    way = routes(blocks)
    assert len(way.x0) == 2 ** (blocks + 1) - 2
    ends = {(x, round(y, 9)) for x, y in zip(way.x1, way.y1, strict=True)} | {(0.0, 0.0)}
    assert {(x, round(y, 9)) for x, y in zip(way.x0, way.y0, strict=True)} <= ends


def test_whole_paths_end_apart_and_in_the_row_of_their_length() -> None:
    way = routes(10)
    last = way.blocks == 10
    assert last.sum() == 1024
    assert len(np.unique(way.y1[last].round(9))) == 1024
    assert (abs(way.y1 - way.branches) <= 0.5).all()


def test_a_line_falls_only_through_a_branch() -> None:
    way = routes(6)
    falls = way.y1 - way.y0 > 0.4
    through = np.arange(len(way.x0)) % 2 == 1
    assert np.array_equal(falls, through)


def shown(**settings: object) -> PathsView:
    view = PathsView(Paths(**settings))
    view.figures()
    view.update(view.simulation.compute())
    return view


@pytest.mark.parametrize(
    ("gain", "kinds"), [(0.3, {"positive"}), (-0.3, set(KINDS) - {"none"}), (0.0, {"none", "positive"})]
)
def test_signs_have_lines_of_their_own(gain: float, kinds: set[str]) -> None:
    sources = shown(blocks=4, gain=gain)._diagram._lines
    assert {kind for kind, source in sources.items() if (np.array(source.data["alpha"]) > 0).any()} == kinds
    visible = sum((np.array(source.data["alpha"]) > 0).astype(int) for source in sources.values())
    assert (visible == 1).all()


def test_the_first_drag_sets_branches_free_and_keeps_the_others() -> None:
    view = shown(blocks=3, gain=-0.5)
    heard: list[dict[str, object]] = []
    view.change_all = lambda values: heard.append(dict(values))
    view._dragged(1, 0.7)
    assert heard == [{"gain_1": -0.5, "gain_2": 0.7, "gain_3": -0.5, "alike": False}]
    view.simulation.alike = False
    view._dragged(2, 1.0)
    assert heard[-1] == {"gain_3": 1.0}


def test_pointers_outside_the_blocks_and_broken_events_do_nothing() -> None:
    moves: list[tuple[int, float]] = []
    diagram = PathDiagram(-2.5, 1.5, lambda block, gain: moves.append((block, gain)))
    diagram.show(Paths().compute(), ["", "", ""])
    (pressed,) = diagram.gains._event_callbacks["panstart"]
    (moved,) = diagram.gains._event_callbacks["pan"]
    for x, y in ((-1, 0), (3.2, 0), (None, 0), ("1", 0), (float("nan"), 0)):
        pressed(SimpleNamespace(x=x, y=y))
    assert moves == []
    pressed(SimpleNamespace(x=1.4, y=99))
    moved(SimpleNamespace(x=7, y=-0.52))
    moved(SimpleNamespace(x=7, y=None))
    moved(SimpleNamespace(x=7, y=float("nan")))
    assert moves == [(1, 1.5), (1, -0.5)]
