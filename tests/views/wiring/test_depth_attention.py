"""The query is a handle, and the largest weight says how large it is."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.views.wiring.depth_attention import LINES, RESULTS, TIPS, DepthAttentionView
from sims.simulations.wiring.depth_attention import FAR, DepthAttention
from tests.showing import showing


def shown(**settings: Any) -> DepthAttentionView:
    simulation = DepthAttention(**settings)
    return showing(DepthAttentionView(simulation), simulation.compute())


def test_dragging_sets_the_query_within_its_bounds() -> None:
    view = shown()
    changes: list[Any] = []
    view.change_all = changes.append
    view._on_pointer(SimpleNamespace(x=0.512, y=99.0))
    assert changes == [{"across": 0.5, "up": FAR}]


def test_the_largest_weight_is_said_above_its_bar() -> None:
    view = shown(across=1.5, up=-2.0)
    heights = view._weights.data["weight"]
    assert view._shares.data["x"] == [int(heights.argmax())]
    assert view._shares.data["text"][0].endswith("%")


@pytest.mark.parametrize("earlier", [2, 6, 12])
def test_the_sum_and_every_query_are_inside_the_plane(earlier: int) -> None:
    view = shown(earlier=earlier)
    for axis, ends in (("x", view._plane.x_range), ("y", view._plane.y_range)):
        assert ends.start < view._results["sum"].data[axis][0] < ends.end
        assert ends.start < -FAR < FAR < ends.end
    spans = [ends.end - ends.start for ends in (view._plane.x_range, view._plane.y_range)]
    assert spans[0] == pytest.approx(spans[1])


def test_the_mean_is_visible_around_a_weighted_mean_that_coincides() -> None:
    assert list(TIPS) == list(RESULTS)
    assert TIPS["mean"] > TIPS["attended"]
    assert LINES["mean"][0] > LINES["attended"][0]


def test_a_query_at_the_foot_of_the_arrows_has_no_name() -> None:
    assert shown()._asks.data["text"] == [""]
    assert shown(up=1.0)._asks.data["text"] == ["query"]


def test_an_output_with_more_weight_is_thicker() -> None:
    view = shown(across=1.5, up=-2.0)
    assert np.argsort(view._outputs.data["wide"]).tolist() == np.argsort(view._weights.data["weight"]).tolist()
