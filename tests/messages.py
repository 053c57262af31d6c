"""What a picture tells, apart from how it looks: the data of its sources, its words, and its own models' values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LayoutDOM, Model
from bokeh.models.annotations import Label, Title

from app.views.base import View
from sims.contract.frame import Frame

Message = dict[tuple[str, str], Any]
"""Identifier of a model and name of its property or column → value"""


def message(figures: Sequence[LayoutDOM]) -> Message:
    """Everything that carries numbers or words. Ranges, ticks and legends follow from it and are left out."""
    told: Message = {}
    for model in sorted({each for figure in figures for each in figure.references()}, key=lambda each: each.id):
        told |= {(model.id, name): _plain(value) for name, value in _carried(model).items()}
    return told


def _carried(model: Model) -> dict[str, Any]:
    if isinstance(model, ColumnDataSource):
        return dict(model.data)
    if isinstance(model, Label | Title):
        return {"text": model.text}
    return model.properties_with_values() if type(model).__module__.startswith("app.") else {}


def _plain(value: Any) -> Any:
    """A copy that compares by values, a not-a-number equal to itself."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else repr(value)


def assert_moves(view: View, frames: Sequence[tuple[dict[str, Any], Frame]]) -> None:
    """A view tells each of two frames, given with the settings they are of, in another way, and neither as nothing.

    Raises AssertionError where it does not, as for a view whose `update` does nothing or works only once.
    """
    figures = view.draw()
    seen = [message(figures)]
    for settings, frame in frames:
        view.simulation.param.update(**settings)
        view.update(frame)
        seen.append(message(figures))
    drawn, one, other = seen
    assert one != drawn, "the first frame is not shown"
    assert other != one, "the second frame is not shown"
    assert other != drawn, "the second frame is not shown"
