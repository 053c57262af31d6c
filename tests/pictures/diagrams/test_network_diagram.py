"""The diagram draws what the architecture is: arcs for skips, squares for norms, a mark for every gradient."""

from typing import Any

import numpy as np
import pytest

from app.pictures.diagrams.network_diagram import NetworkDiagram, places
from sims.simulations.design_choices.explorer import Explorer


def diagram(**settings: Any) -> NetworkDiagram:
    explorer = Explorer(**{"depth": 8, "width": 8, "norm": "none", **settings})
    network_diagram = NetworkDiagram("A network")
    network_diagram.show(explorer.frame(explorer.start()), "first", 0)
    return network_diagram


def test_places_of_the_stream_lie_between_the_layers() -> None:
    layers, stream = places(8, 2)
    assert layers.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert stream.tolist() == [1.5, 3.5, 5.5, 7.5]


@pytest.mark.parametrize(
    ("settings", "ends"),
    [
        ({"skip": "none"}, []),
        ({"skip": "additive"}, [2.5, 3.5, 4.5, 5.5, 6.5, 7.5]),
        ({"skip": "additive", "unit": "two-layer"}, [3.5, 5.5, 7.5]),
        ({"skip": "dense"}, [7.5] * 6),
    ],
)
def test_every_skip_is_an_arc(settings: dict[str, Any], ends: list[float]) -> None:
    assert list(diagram(**settings)._arcs.data["x1"]) == ends


@pytest.mark.parametrize(("norm", "count"), [("none", 0), ("pre-layer", 6), ("post-layer", 6), ("batch", 7)])
def test_every_norm_is_a_square(norm: str, count: int) -> None:
    assert len(diagram(norm=norm)._norms.data["x"]) == count


def test_gates_and_learned_factors_show_in_the_line() -> None:
    assert diagram(skip="highway")._arc.line_dash != diagram(skip="additive")._arc.line_dash
    assert diagram(skip="rezero")._branch.line_dash != diagram(skip="additive")._branch.line_dash


@pytest.mark.parametrize("depth", [2, 8, 64])
def test_every_layer_and_every_place_of_the_stream_has_one_mark(depth: int) -> None:
    marks = diagram(depth=depth)._marks.values()
    assert sorted(np.concatenate([mark.data["x"] for mark in marks])) == sorted(np.concatenate(places(depth, 1)))


def test_a_new_architecture_is_drawn_anew() -> None:
    drawing = diagram(depth=8)
    deeper = Explorer(depth=12, width=8, skip="none")
    drawing.show(deeper.frame(deeper.start()), "first", 0)
    assert len(drawing._arcs.data["x0"]) == 0
    assert drawing.figure.x_range.end == pytest.approx(12.8)
