"""Residual blocks in a row, whose stream and matrices are lit by the sizes of their gradients."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.plotting import figure

from app.pictures.base.end_labels import END
from app.pictures.base.figures import LINES, empty, hover, named_ticks, paint, plot, quiet_legend, words
from sims.contract.wording import extent, number

DARK, BRIGHT = -3.0, 0.0
"""Powers of ten of the gradients at and below which a mark has the least light, and from which on it has all of it"""

LEAST = 0.06
"""Opacity of the least light: more than that of an exact zero, which has none"""

ROWS = {"arriving": 0.0, "first": 1.3, "last": 2.7}
"""Kind of gradient → its height; the stream is at 0"""

LOWEST, HIGHEST = -0.62, 3.45

NAMES = {"arriving": "stream", "first": "first matrix", "last": "second matrix"}

WIDE, TALL, THICK = 0.56, 1.0, 0.42
"""Width and height of a matrix, and height of the stream"""

LEAVES, MEETS = -0.12, 0.36
"""Where a branch leaves the stream and returns to it, from the number of its block; its matrices are above the first"""

ROOM = 122
"""Pixels for the labels at the right"""

PLUS, ACROSS = 12.0, 200.0
"""Size of a plus sign in pixels, and that of all together, so that they stay apart on a phone"""

START, TIP = 0.2, 0.52
"""Where the stream begins, and the arrow on it that shows the direction of the gradient"""

AWAY = -99.0
"""Place of the samples for the legend, far from the picture"""


class LitBlocks:
    """The figure, created once; `show` moves its data. Gradients come from the right, where the loss is."""

    def __init__(self, title: str, height: int) -> None:
        self.figure = plot(title, "block", "", height=height, x_range=(0, 1), y_range=(LOWEST, HIGHEST))
        self.figure.yaxis.visible = False
        self.figure.ygrid.visible = False
        self.figure.min_border_right = ROOM
        self.figure.xaxis.axis_line_color = None
        named_ticks(self.figure.xaxis, {})
        self._wires, self._pluses = empty("xs", "ys"), empty("x", "y", "size")
        paint(self.figure.multi_line("xs", "ys", source=self._wires, line_width=1.4), line_color="edge")
        self.lights = {}
        self._labels, self._zeros = empty("x", "y", "text"), empty("x", "y")
        for name in ROWS:
            source = self.lights[name] = empty("x", "y", "width", "height", "alpha", "what", "size")
            # The outline stays where there is little light, and the ground hides the wires behind it.
            ground = self.figure.rect("x", "y", "width", "height", source=source, line_color=None)
            paint(ground, fill_color="panel")
            light = self.figure.rect("x", "y", "width", "height", source=source, fill_alpha="alpha", line_width=1.2)
            paint(light, fill_color="fourth", line_color="edge")
            hover(self.figure, [("@what", "@size")], renderers=[light])
        pluses = self.figure.scatter("x", "y", source=self._pluses, marker="circle_cross", size="size", line_width=1.4)
        paint(pluses, fill_color="panel", line_color="ink")
        tip = self.figure.scatter([TIP], [0], marker="triangle", angle=math.pi / 2, size=11)
        paint(tip, fill_color="fourth", line_color="fourth")
        zeros = self.figure.scatter("x", "y", source=self._zeros, marker="x", size=8, line_width=1.6)
        paint(zeros, line_color="zero", fill_color="zero")
        looks: dict[str, Any] = {"text_align": "left", "x_offset": 10, "level": "overlay", "text_line_height": LINES}
        words(self.figure, self._labels, "ink", **looks).tags = [END]
        _key(self.figure)

    def show(self, gradients: Mapping[str, np.ndarray]) -> None:
        """Show the gradients of all blocks; those of matrices that a block lacks are missing."""
        blocks = len(gradients["arriving"])
        places, end = np.arange(1, blocks + 1), blocks + 0.7
        self.figure.x_range.update(start=START, end=end)
        named = [float(place) for place in places if place % max(1, round(blocks / 12)) == 0]
        named_ticks(self.figure.xaxis, {place: f"{place:g}" for place in named})
        top = max(height for name, height in ROWS.items() if name in gradients) + 0.65
        x, y = np.array([LEAVES, LEAVES, MEETS, MEETS]), np.array([0, top, top, 0])
        branches = [(place + x, y) for place in places]
        wires = [(np.array([START, end]), np.zeros(2)), *branches]
        self._wires.data = {"xs": [xs for xs, _ys in wires], "ys": [ys for _xs, ys in wires]}
        size = min(PLUS, ACROSS / blocks)
        self._pluses.data = {"x": places + MEETS, "y": np.zeros(blocks), "size": np.full(blocks, size)}
        starts, ends = places + MEETS, np.minimum(places + 1 + MEETS, end)
        zeros: list[tuple[float, float]] = []
        for name, height in ROWS.items():
            sizes, stream = gradients.get(name, np.empty(0)), name == "arriving"
            middles = (starts + ends) / 2 if stream else (places + LEAVES)[: len(sizes)]
            self.lights[name].data = {
                "x": middles,
                "y": np.full(len(sizes), height),
                "width": ends - starts if stream else np.full(len(sizes), WIDE),
                "height": np.full(len(sizes), THICK if stream else TALL),
                "alpha": light(sizes),
                "what": [f"block {place}, {NAMES[name]}" for place in places[: len(sizes)]],
                "size": [number(size, 2) for size in sizes.tolist()],
            }
            zeros += [(float(middle), height) for middle in middles[sizes == 0]]
        self._zeros.data = {"x": [x for x, _y in zeros], "y": [y for _x, y in zeros]}
        shown = [name for name in ROWS if name in gradients]
        self._labels.data = {
            "x": [end] * len(shown),
            "y": [ROWS[name] for name in shown],
            "text": [
                f"{NAMES[name] if name != 'first' or 'last' in gradients else 'matrix'}\n{extent(gradients[name])}"
                for name in shown
            ],
        }


def light(sizes: np.ndarray) -> np.ndarray:
    """The opacity of each size, on a logarithmic scale; an exact zero, and what is not a number, has no light."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip((np.log10(sizes) - DARK) / (BRIGHT - DARK), 0, 1)
    return np.where(sizes > 0, LEAST + (1 - LEAST) * share, 0.0)


def _key(chart: figure) -> None:
    for power in range(round(DARK), round(BRIGHT) + 1):
        size = 10.0**power
        more = {DARK: "≤ ", BRIGHT: "≥ "}.get(power, "")
        alpha = float(light(np.array([size]))[0])
        sample = chart.rect([AWAY], [0], 1, 1, fill_alpha=alpha, line_width=1.2, legend_label=f"{more}{size:g}")
        paint(sample, fill_color="fourth", line_color="edge")
    quiet_legend(chart, 4)
