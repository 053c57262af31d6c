"""The last block's gradient against depth; then the same block by block, and the size of the stream."""

import math
from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, LinearScale, Range1d
from bokeh.plotting import figure

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, empty, fit, paint, plot, quiet_legend, ticks_at
from app.pictures.base.looks import PLACEMENTS
from app.pictures.base.questions import HEIGHT, is_result, until_answered
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.norm_placement.last_layer import DEPTHS, LastLayer

END = 115
"""Right end of the axis of blocks"""

LOGARITHMIC: dict[str, Any] = {"x_axis_type": "log", "x_range": (5, END)}

ROOM = 112
"""Pixels for the longest name at the end of a line"""

ABOVE = ", above"
"""What the name of a label of two lines ends with, for its upper line"""

TOWER, TALLEST = 1.12, 104
"""Half the width of a tower, as a factor, and the number of blocks that would fill the height"""

GUIDED = 48
"""Block at which the guide line is labeled, below it and on its left"""


class LastLayerView(View[LastLayer]):
    """A line for each measured placement; in the main picture with its name and its last value.

    Before the prediction, a tower of blocks for every depth is in its place, with its last block on top.
    """

    def draw(self) -> list[LayoutDOM]:
        last = plot("Gradient of the last block before training", "blocks", "size", height=330, **LOGARITHMIC, **POWERS)
        last.styles = {"grid-column": "1 / -1"}
        self._figures = {"last": last}
        self._sources = {"last": empty("x", "guide", *PLACEMENTS)}
        guide = last.line("x", "guide", source=self._sources["last"], line_width=1.5, line_dash="dotted")
        paint(guide, line_color="ink")
        self._lines("last")
        looks = PLACEMENTS.items()
        colors = {name: color for key, (_label, color, *_look) in looks for name in (key, key + ABOVE)}
        self._names = EndLabels(last, colors, ROOM)
        self._guide = empty("x", "y", "text")
        guided = last.text("x", "y", "text", source=self._guide, text_font_size="13px", y_offset=24, text_align="right")
        paint(guided, text_color="ink")
        self._waiting = empty("x", "y", "text")
        waiting = last.text(
            "x", "y", "text", source=self._waiting, text_font_size="14px", text_align="center", text_baseline="middle"
        )
        paint(waiting, text_color="soft")
        self._draw_towers(last)
        return [last]

    def _draw_towers(self, chart: figure) -> None:
        """The networks that are measured, block upon block, without the axis of sizes."""
        chart.extra_y_ranges, chart.extra_y_scales = {HEIGHT: Range1d(start=0, end=1)}, {HEIGHT: LinearScale()}
        blocks = [(depth, block) for depth in DEPTHS for block in range(depth)]
        for color, chosen in (
            ("idle", [(depth, block) for depth, block in blocks if block < depth - 1]),
            ("accent", [(depth, depth - 1) for depth in DEPTHS]),
        ):
            boxes = chart.quad(
                left=[depth / TOWER for depth, _block in chosen],
                right=[depth * TOWER for depth, _block in chosen],
                bottom=[block / TALLEST for _depth, block in chosen],
                top=[(block + 1) / TALLEST for _depth, block in chosen],
                line_width=0.5,
                fill_alpha=0.5 if color == "idle" else 1,
                y_range_name=HEIGHT,
            )
            paint(boxes, fill_color=color, line_color="panel")
            until_answered(chart, boxes)
        text = chart.text(
            [DEPTHS[0] / TOWER],
            [0.96],
            ["Each tower is a network.\nHow large is the gradient\nof its last block?"],
            text_font_size="13px",
            text_baseline="top",
            y_range_name=HEIGHT,
        )
        paint(text, text_color="accent")
        until_answered(chart, text)
        for axis in (chart.yaxis[0], chart.ygrid[0]):
            is_result(axis)

    def measures(self) -> list[LayoutDOM]:
        profile = plot(
            "Block by block, deepest network", "block, from input to output", "size", x_range=(0, 1), **POWERS
        )
        stream = plot("Size of the last stream", "blocks", "rms", **LOGARITHMIC, **POWERS)
        for name, chart in (("profile", profile), ("stream", stream)):
            self._figures[name] = chart
            self._sources[name] = empty("x", *PLACEMENTS)
            self._lines(name)
            quiet_legend(chart, 2)
        return [profile, stream]

    def _lines(self, name: str) -> None:
        """Add a line for each placement, with markers at the measured depths."""
        chart, source = self._figures[name], self._sources[name]
        for key, (label, color, dash, marker) in PLACEMENTS.items():
            legend: dict[str, Any] = {} if name == "last" else {"legend_label": label}
            line = chart.line("x", key, source=source, line_width=2.6, line_dash=dash, **legend)
            paint(line, line_color=color)
            if name != "profile":
                dots = chart.scatter("x", key, source=source, marker=marker, size=8, **legend)
                paint(dots, fill_color=color, line_color=color)
        if name != "profile":
            ticks_at(chart.xaxis, DEPTHS)

    def update(self, frame: Frame) -> None:
        blocks = frame["blocks"]
        for name in ("last", "stream"):
            values = {key: frame[f"{key}_{name}"] for key in PLACEMENTS}
            fit(self._figures[name], list(values.values()))
            guide = {"guide": values["pre"][0] * np.sqrt(blocks[0] / blocks)} if name == "last" else {}
            self._sources[name].data = {"x": blocks, **guide, **values}
        self._show_names(self._sources["last"].data)
        profiles = {key: frame[f"{key}_profile"] for key in PLACEMENTS}
        count = len(profiles["pre"])
        self._figures["profile"].x_range.update(end=count + 1)
        fit(self._figures["profile"], list(profiles.values()))
        self._sources["profile"].data = {"x": np.arange(1, count + 1), **profiles}
        for name in ("profile", "stream"):
            items: Any = self._figures[name].legend[0].items
            for item, key in zip(items, PLACEMENTS, strict=True):
                item.visible = bool(np.isfinite(frame[f"{key}_last"]).any())

    def _show_names(self, lines: Any) -> None:
        """Label every line with its name and its last value so far."""
        axis: Any = self._figures["last"].y_range
        ends = {}
        for key, (label, *_look) in PLACEMENTS.items():
            measured = lines[key][np.isfinite(lines[key])]
            if len(measured):
                end = float(measured[-1])
                *above, name = label.split(", ")
                ends[key] = end, f"{name} {number(end, 2)}"
                if above:
                    ends[key + ABOVE] = end, f"{above[0]},"
        self._names.show(END, ends)
        guide = float(lines["guide"][DEPTHS.index(GUIDED)])
        guides = [guide] if np.isfinite(guide) else []
        self._guide.data = {"x": [GUIDED for _ in guides], "y": guides, "text": ["like 1/√blocks" for _ in guides]}
        words = [] if ends else ["not measured yet"]
        middle = math.sqrt(axis.start * axis.end)
        self._waiting.data = {"x": [24 for _ in words], "y": [middle for _ in words], "text": words}
