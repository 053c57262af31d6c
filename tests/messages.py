"""What a picture tells, apart from how it looks: the data of its sources, its words, and its own models' values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, LayoutDOM, Model
from bokeh.models.annotations import Label, Title
from panel.models import HTML

from app.views.base import View
from sims.contract.frame import Frame

Message = dict[tuple[str, str], Any]
"""Identifier of a model and name of its property or column → value"""

Shown = tuple[Mapping[str, Any], Frame]
"""Settings, and a frame of them"""


def message(figures: Sequence[LayoutDOM]) -> Message:
    """Everything that carries numbers or words. Ranges, ticks and legends follow from it and are left out."""
    content: Message = {}
    for model in sorted(
        {reference for figure in figures for reference in figure.references()}, key=lambda model: model.id
    ):
        content |= {(model.id, name): _plain(value) for name, value in _carried(model).items()}
    return content


def _carried(model: Model) -> dict[str, Any]:
    if isinstance(model, ColumnDataSource):
        return dict(model.data)
    if isinstance(model, Label | Title | HTML):
        return {"text": model.text}
    return model.properties_with_values() if type(model).__module__.startswith("app.") else {}


def _plain(value: Any) -> Any:
    """A copy that compares by values, a not-a-number equal to itself."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else repr(value)


def assert_moves(view: View, one: Shown, other: Shown, *, waiting: bool = False) -> None:
    """The first frame changes each figure of a view, the second changes the picture, and the first brings it back.

    A view may have figures that are `waiting` for something else than a frame.

    Raises AssertionError where it does not, as for a view whose `update` does nothing or works only once.
    """
    figures = view.figures()
    empty = [message([figure]) for figure in figures]
    first, second, again = (_message_after(view, figures, frame) for frame in (one, other, one))
    for figure, before in zip(figures, empty, strict=True):
        now = {key: first[key] for key in before if key in first}
        assert waiting or now != before, f"the first frame changes nothing in {figure}"
    assert second != first, "the second frame looks like the first"
    assert again == first, "the picture of a frame depends on what was shown before"


def _message_after(view: View, figures: Sequence[LayoutDOM], state: Shown) -> Message:
    settings, frame = state
    view.simulation.param.update(**settings)
    view.update(frame)
    return message(figures)
