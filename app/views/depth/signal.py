"""Two towers; as measures, the sizes of stream and gradients block by block, and the similarity of inputs."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, empty, fit, paint, plot
from app.pictures.diagrams.towers import Tower, Towers
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.depth.signal import Signal, alpha_through

SIDES = {"left": ("residual", "solid"), "right": ("third", "dashed")}

PLOTS = {
    "stream": ("Size of the stream", "relative to the input"),
    "gradient": ("Gradient of the stream", "relative to the top"),
    "first": ("Gradient of the first matrix of a branch", "norm"),
    "last": ("Gradient of the last matrix of a branch", "norm"),
}


class SignalView(View[Signal]):
    """The towers, with the edge of the left one as a handle; lines of both towers over the blocks."""

    def draw(self) -> list[LayoutDOM]:
        self._towers = Towers("Two towers of blocks: drag α", self._pull)
        self._towers.figure.styles = {"grid-column": "1 / -1"}
        return [self._towers.figure]

    def measures(self) -> list[LayoutDOM]:
        self._lines, self._ends = {}, {}
        figures = [plot(title, "block", unit, height=300, x_range=(0, 1), **POWERS) for title, unit in PLOTS.values()]
        alike = plot(
            "How alike different inputs are", "block", "cosine", height=300, x_range=(0, 1), y_range=(0.5, 1.02)
        )
        figures.append(alike)
        for key, figure in zip([*PLOTS, "cosine"], figures, strict=True):
            for side, (color, dash) in SIDES.items():
                source = self._lines[key, side] = empty("x", "y")
                line = figure.line("x", "y", source=source, line_width=2.6, line_dash=dash)
                paint(line, line_color=color)
            self._ends[key] = EndLabels(figure, {side: color for side, (color, _dash) in SIDES.items()}, 120)
        self._figures = dict(zip([*PLOTS, "cosine"], figures, strict=True))
        return list(figures)

    def update(self, frame: Frame) -> None:
        names, results = self.simulation.names, frame.results
        left, right = (
            Tower(
                names[side],
                frame[f"{side}_stream"],
                frame[f"{side}_gradient"],
                int(results[f"{side}_overflow"]),
                number(float(results[f"{side}_top"]), 2),
                number(float(results[f"{side}_foot"]), 2),
            )
            for side in SIDES
        )
        self._towers.show((left, right))
        blocks = len(left.stream) - 1
        for key, figure in self._figures.items():
            figure.x_range.update(start=0, end=blocks)
            series = {side: frame[f"{side}_{key}"] for side in SIDES}
            if key in PLOTS:
                fit(figure, list(series.values()))
            ends = {}
            for side, values in series.items():
                drawable = np.where((values > 0) & np.isfinite(values), values, np.nan)
                self._lines[key, side].data = {"x": np.arange(len(values)), "y": drawable}
                if np.isfinite(drawable).any():
                    ends[side] = (float(drawable[np.isfinite(drawable)][-1]), names[side])
                elif (values == 0).all():
                    ends[side] = (0.0, f"{names[side]}: exactly 0")
            self._ends[key].show(blocks, ends)

    def _pull(self, block: int, size: float) -> None:
        """Set the left tower's factor so that its edge passes through the pointer."""
        self.change("alpha", alpha_through(size, block, self.simulation.start))
