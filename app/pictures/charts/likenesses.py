"""How alike different inputs become from layer to layer: a line for each network, by name."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.pictures.base.figures import empty, paint, plot, quiet_legend
from app.pictures.charts.diagnoses import Network

HEIGHT = 240

COSINE_RANGE = (-0.05, 1.05)
"""Of the vertical axis. The mean over all pairs of n points is at least -1/(n - 1), which is -0.016 for 64"""

DASHES = ("solid", "dashed", "dotted")
"""Dashes of the named networks, which are all plain and therefore have one color"""

WIDTH, CHOSEN_WIDTH = 1.8, 3.6
"""Line widths in pixels"""


class Likenesses:
    """The figure, created once; `show` moves its lines. A network without a frame has no line."""

    def __init__(self, title: str, cases: Sequence[str], other: str) -> None:
        """`cases` name plain networks; `other` may be any network, and its color says which kind it is."""
        self.figure = plot(
            title, "layer, from input to output", "mean cosine", height=HEIGHT, x_range=(1, 2), y_range=COSINE_RANGE
        )
        self.figure.styles = {"grid-column": "1 / -1"}
        looks = {(name, False): (name, "plain", dash) for name, dash in zip(cases, DASHES, strict=True)}
        looks[other, False] = f"{other}, plain", "plain", "dotdash"
        looks[other, True] = f"{other}, with skips", "residual", "solid"
        self._sources, self._lines = {key: empty("x", "y") for key in looks}, {}
        for key, (label, color, dash) in looks.items():
            line = self.figure.line("x", "y", source=self._sources[key], line_dash=dash, legend_label=label)
            paint(line, line_color=color)
            self._lines[key] = line
        quiet_legend(self.figure, columns=4)

    def show(self, networks: Mapping[str, Network], chosen: str) -> None:
        """Show the networks by name; the line of the chosen one is thicker."""
        items: Any = self.figure.legend[0].items
        layers = 2
        for item, ((name, skip), source) in zip(items, self._sources.items(), strict=True):
            network = networks.get(name)
            frame = network.frame if network and network.skip == skip else None
            values = [] if frame is None else frame["likeness at start"].tolist()
            source.data = {"x": list(range(1, len(values) + 1)), "y": values}
            layers = max(layers, len(values))
            self._lines[name, skip].glyph.update(line_width=CHOSEN_WIDTH if name == chosen else WIDTH)
            item.update(visible=frame is not None)
        self.figure.x_range.update(end=layers)
