"""The colors and letters of the axes of a figure without a page, as `static/bokeh/paint.js` gives them on a page."""

from collections.abc import Iterable
from typing import Any

from bokeh.model import Model
from bokeh.models import Axis, Grid
from bokeh.models.annotations import Legend, Title

from app.pictures.base.theme import LIGHT, SANS

_AXIS = {
    "axis_line_color": LIGHT["rule"],
    "major_tick_line_color": LIGHT["rule"],
    "minor_tick_line_color": None,
    "major_label_text_color": LIGHT["soft"],
    "major_label_text_font": SANS,
    "axis_label_text_color": LIGHT["soft"],
    "axis_label_text_font": SANS,
    "axis_label_text_font_style": "normal",
}
_LEGEND = {"border_line_color": None, "label_text_color": LIGHT["ink"], "label_text_font": SANS}
LOOKS: tuple[tuple[type[Model], dict[str, Any]], ...] = (
    (Axis, _AXIS),
    (Grid, {"grid_line_color": LIGHT["rule"]}),
    (Legend, _LEGEND),
    (Title, {"text_color": LIGHT["ink"], "text_font": SANS}),
)
"""Kind of model → its properties"""


def paint(models: Iterable[Model]) -> None:
    """Give the models the look of the light theme."""
    for model in models:
        for kind, look in LOOKS:
            if isinstance(model, kind):
                model.update(**look)
