"""Error against depth, one mark per number."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import empty, hover, named_ticks, paint, plot, quiet_legend
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.published import Published

COLUMNS = ("depth", "error", "model", "measured", "where", "label", "low", "high")
MARKS = {
    "residual": ("residual, published", "circle", "residual"),
    "plain": ("plain, published", "square", "plain"),
    "bound": ("plain, only a lower bound published", "triangle", "plain"),
    "folklore": ("circulates, not in the paper", "x", "soft"),
}


class PublishedView(View[Published]):
    """Marks differ in shape as well as color; the pointer shows where each number comes from."""

    def draw(self) -> list[LayoutDOM]:
        figure = plot("Error against depth", "layers (logarithmic)", "error", x_axis_type="log", height=340)
        self._sources, marks = {}, []
        for name, (label, marker, color) in MARKS.items():
            source = self._sources[name] = empty(*COLUMNS)
            mark = figure.scatter(
                "depth", "error", source=source, marker=marker, size=11, legend_label=label, line_width=2
            )
            paint(mark, fill_color=color, line_color=color)
            bars = figure.segment("depth", "low", "depth", "high", source=source, line_width=2)
            paint(bars, line_color=color)
            marks.append(mark)
        tooltips = [("model", "@model"), ("error", "@label"), ("measures", "@measured"), ("source", "@where")]
        hover(figure, tooltips, renderers=marks)
        quiet_legend(figure)
        named_ticks(figure.xaxis, {})
        self._figure = figure
        self._legend: Any = figure.legend[0].items
        return [figure]

    def update(self, frame: Frame) -> None:
        published, bound = frame["published"], frame["lower_bound"]
        chosen = {
            "residual": (frame["family"] == "residual") & published & ~bound,
            "plain": (frame["family"] == "plain") & published & ~bound,
            "bound": published & bound,
            "folklore": ~published,
        }
        for (name, rows), item in zip(chosen.items(), self._legend, strict=True):
            error, spread = frame["error"][rows], np.nan_to_num(frame["std"][rows])
            middle = np.where(np.isfinite(frame["mean"][rows]), frame["mean"][rows], error)
            item.visible = bool(np.any(rows))
            self._sources[name].data = {
                **{column: frame[column][rows] for column in ("depth", "error", "model", "measured", "where")},
                "label": [f"{'over ' if name == 'bound' else ''}{each:.2f}%" for each in error],
                "low": middle - spread,
                "high": middle + spread,
            }
        depths = sorted(set(frame["depth"].tolist()))
        named_ticks(self._figure.xaxis, {depth: str(depth) for depth in depths})
