"""Arrows for x, its image and the way between them; a press takes hold of the nearer tip."""

from typing import Any

import numpy as np
import pytest
from bokeh.events import Pan, PanStart

from app.views.wiring.delta import HEADROOM, DeltaView
from sims.simulations.wiring.delta import Delta
from tests.showing import showing


def shown(**settings: Any) -> DeltaView:
    simulation = Delta(**settings)
    return showing(DeltaView(simulation), simulation.compute())


def test_the_image_is_where_erasing_and_writing_lead() -> None:
    view = shown(beta=0.5, value=2.0)
    ends = {name: source.data for name, source in view._arrows.items()}
    erased, written = (
        np.array([ends[name][f"{axis}1"][0] - ends[name][f"{axis}0"][0] for axis in "xy"])
        for name in ("erased", "written")
    )
    x, image = (np.array([ends[name]["x1"][0], ends[name]["y1"][0]]) for name in ("x", "image"))
    np.testing.assert_allclose(x + erased + written, image, atol=1e-12)


def test_nothing_is_erased_or_written_by_the_identity() -> None:
    view = shown(beta=0.0)
    assert [view._arrows[name].data["x0"] for name in ("erased", "written")] == [[], []]


@pytest.mark.parametrize(("x1", "align"), [(2.0, "right"), (-2.0, "left")])
def test_words_stay_inside_the_plane(x1: float, align: str) -> None:
    assert shown(beta=0.0, x1=x1, x2=0.5)._words["image"].data["align"] == [align]


def test_the_nearer_tip_is_dragged() -> None:
    view = shown(angle=20, x1=1.0, x2=2.0)
    changes: dict[str, float] = {}
    view.change = lambda name, value: changes.update({name: value})
    view.change_all = changes.update
    view._plane._trigger_event(PanStart(view._plane, x=1.1, y=1.8))
    assert changes == {"x1": 1.1, "x2": 1.8}
    changes.clear()
    view._plane._trigger_event(PanStart(view._plane, x=0.8, y=0.3))
    view._throttle.allows = lambda: True
    view._plane._trigger_event(Pan(view._plane, x=-1.0, y=-1.0))
    assert changes == {"angle": 45}


def test_the_chosen_line_is_named_once() -> None:
    view = shown(beta=1.0)
    texts = [text for source in view._ends._sources.values() for text in source.data["text"]]
    assert sum(text.startswith("β = 1") and not text.startswith("β = 1.") for text in texts) == 1


def test_the_axis_ends_just_above_the_largest_stream() -> None:
    view = shown()
    largest = max(np.nanmax(view._lines.data[name]) for name in view._lines.data if name != "x")
    assert largest < view._chain.y_range.end <= HEADROOM * largest
