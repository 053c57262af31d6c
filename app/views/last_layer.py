"""The last block's gradient against depth, block by block, and the size of the stream."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import POWERS, empty, fit, paint, plot, quiet_legend, ticks_at
from app.pictures.looks import PLACEMENTS
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.last_layer import LastLayer

LOGARITHMIC: dict[str, Any] = {"x_axis_type": "log", "x_range": (5, 115)}


class LastLayerView(View[LastLayer]):
    """A line for each placement in every figure."""

    def draw(self) -> list[LayoutDOM]:
        last = plot("Gradient of the last block", "blocks", "norm", **LOGARITHMIC, **POWERS)
        profile = plot(
            "Block by block, deepest network", "block, from input to output", "norm", x_range=(0, 1), **POWERS
        )
        stream = plot("Size of the stream behind the last block", "blocks", "rms", **LOGARITHMIC, **POWERS)
        self._figures = {"last": last, "profile": profile, "stream": stream}
        self._sources = {name: empty("x", "guide", *PLACEMENTS) for name in self._figures}
        for name, figure in self._figures.items():
            for key, (label, color, dash, marker) in PLACEMENTS.items():
                source = self._sources[name]
                line = figure.line("x", key, source=source, line_width=2.2, line_dash=dash, legend_label=label)
                paint(line, line_color=color)
                if name != "profile":
                    dots = figure.scatter("x", key, source=source, marker=marker, size=6, legend_label=label)
                    paint(dots, fill_color=color, line_color=color)
                if name == "last" and key == "pre":
                    guide = figure.line(
                        "x",
                        "guide",
                        source=source,
                        line_width=1,
                        line_dash="dotted",
                        legend_label="slope of 1/√blocks",
                    )
                    paint(guide, line_color="ink")
            quiet_legend(figure, 3)
        for each in (last, stream):
            ticks_at(each.xaxis, [])
        return [last, profile, stream]

    def update(self, frame: Frame) -> None:
        blocks = frame["blocks"]
        for name in ("last", "stream"):
            figure = self._figures[name]
            ticks_at(figure.xaxis, blocks.tolist())
            values = {key: frame[f"{key}_{name}"] for key in PLACEMENTS}
            fit(figure, list(values.values()))
            start = values["pre"][0]
            self._sources[name].data = {"x": blocks, "guide": start * np.sqrt(blocks[0] / blocks), **values}
        values = {key: frame[f"{key}_profile"] for key in PLACEMENTS}
        count = len(values["pre"])
        self._figures["profile"].x_range.update(end=count + 1)
        fit(self._figures["profile"], list(values.values()))
        numbers = np.arange(1, count + 1)
        self._sources["profile"].data = {"x": numbers, "guide": np.full(count, np.nan), **values}
