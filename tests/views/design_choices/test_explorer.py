"""The explorer: colors by skip, a rewind on the loss, layers to look into, and points to put on the map."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.views.design_choices.explorer import FEW, ExplorerView
from sims.simulations.design_choices.explorer import Explorer

QUICK: dict[str, Any] = {"depth": 4, "width": 8, "training_steps": 200}


def shown(**settings: Any) -> tuple[ExplorerView, dict[str, Any]]:
    simulation = Explorer(**{**QUICK, **settings})
    view, changes = ExplorerView(simulation), {}
    view.figures()
    view.update(simulation.frame(simulation.advance(simulation.start(), 20)))
    view.change = changes.__setitem__
    return view, changes


@pytest.mark.parametrize(
    ("settings", "names", "lines"),
    [
        ({"compare": "no-skip"}, {"residual": "This network", "plain": "Without a skip"}, ["plain", "residual"]),
        ({"compare": "no-norm"}, {"residual": "This network", "idle": "Without a norm"}, ["residual", "idle"]),
        (
            {"skip": "none", "compare": "no-skip"},
            {"plain": "This network", "idle": "The very same"},
            ["plain", "idle"],
        ),
    ],
)
def test_a_network_without_a_skip_is_orange_everywhere(settings: Any, names: Any, lines: Any) -> None:
    view, _ = shown(**settings)
    assert {
        color: source.data["text"][0] for color, source in view._maps._names.items() if source.data["text"]
    } == names
    for color in ("plain", "residual", "idle"):
        for part in ("train", "test"):
            ys = view._loss.source.data[f"{color}_{part}"]
            assert (ys == ys).all() == (color in lines)


def test_a_drag_over_the_loss_goes_to_the_nearest_moment() -> None:
    view, changes = shown()
    assert view._steps.tolist() == [0, 5, 10, 15, 20]
    for x, moment in ((-3.0, 0), (6.0, 25), (13.0, 75), (150.0, 100)):
        view._on_loss(SimpleNamespace(x=x))
        assert changes == {"moment": moment}
    view._on_loss(SimpleNamespace(x=None))


def test_the_line_on_the_loss_and_the_map_are_those_of_the_moment() -> None:
    view, _ = shown(moment=50)
    assert view._moment.location == 10


def test_layers_are_looked_into_and_points_are_put_on_the_map() -> None:
    view, changes = shown(task="own", points="a1010b9090", pen="b")
    view._on_layer(2)
    assert changes.pop("layer") == 2
    view._on_layer(0)
    assert not changes
    view._on_map(0.0, 0.0)
    assert changes["points"].startswith("a1010b9090b")
    view.simulation.pen = "erase"
    view._on_map(-0.8, -0.8)
    assert changes["points"] == "b9090"


def test_a_tile_feeds_the_networks_or_leaves_something_out() -> None:
    view, changes = shown(feed_product=True)
    assert view._features._names[True].data["text"] == ["x₁", "x₂", "x₁x₂"]
    for name in ("product", "x1", "sine_x2"):
        view._on_feature(name)
    assert changes == {"feed_product": False, "feed_x1": False, "feed_sine_x2": True}


def test_the_low_axis_of_the_loss_has_few_labels() -> None:
    view, _ = shown()
    view._loss.show(np.arange(2), 1, {"residual_train": [np.array([3.0, 2e-5])] * 3})
    ticks = view._loss._plot.yaxis[0].ticker.ticks
    assert 2 <= len(ticks) <= FEW + 1
