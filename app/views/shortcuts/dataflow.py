"""The circuit of a block, which plays by itself; its vectors as arrows, and its effect on a small circle."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, paint, plot, quiet_legend
from app.pictures.charts.arrows import Arrows, fit_square
from app.pictures.diagrams.circuit import Circuit
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.shortcuts.dataflow import Dataflow

WHOLE_WIDTH = {"grid-column": "1 / -1"}


class DataflowView(View[Dataflow]):
    """Everything can be dragged: the numbers of the circuit, and the tip of the input."""

    def draw(self) -> list[LayoutDOM]:
        self._circuit = Circuit("Numbers on their way through the block", self.simulation, self._set)
        self._circuit.figure.styles = dict(WHOLE_WIDTH)
        return [self._circuit.figure]

    def measures(self) -> list[LayoutDOM]:
        kinds = {
            "input": ("x", "idle", "solid"),
            "branch": ("F(x)", "third", "dotted"),
            "plain": ("plain: F(x)", "plain", "dashed"),
            "residual": ("residual: x + F(x)", "residual", "solid"),
        }
        self._arrows = Arrows("The same vectors as arrows", kinds)
        self._arrows.follow(self._point)
        ellipses = plot(
            "What happens to a small circle",
            "change of the first number",
            "change of the second number",
            height=330,
            x_range=(-2, 2),
            y_range=(-2, 2),
            max_width=430,
        )
        ellipses.update(aspect_ratio=1.0)
        self._ellipse_figure, self._ellipses = ellipses, {}
        for name, label, color, dash in (
            ("circle", "before", "idle", "solid"),
            ("plain_circle", "plain: J", "plain", "dashed"),
            ("residual_circle", "residual: I + J", "residual", "solid"),
        ):
            source = self._ellipses[name] = empty("x", "y")
            line = ellipses.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
            paint(line, line_color=color)
        quiet_legend(ellipses, columns=3)
        return [self._arrows.figure, ellipses]

    def update(self, frame: Frame) -> None:
        self._circuit.show(frame)
        nowhere, x = np.zeros(2), frame["input"]
        self._arrows.show(
            {
                "input": (nowhere, x),
                "branch": (x, frame["residual_output"]),
                "plain": (nowhere, frame["plain_output"]),
                "residual": (nowhere, frame["residual_output"]),
            }
        )
        fit_square(self._ellipse_figure, [frame[name] for name in self._ellipses])
        for name, source in self._ellipses.items():
            source.data = dict(zip("xy", frame[name], strict=True))

    def _set(self, name: str, value: float | str) -> None:
        self.change(name, value)

    def _point(self, x: float, y: float) -> None:
        """Move the input to the pointer."""
        self.drag(x1=x, x2=y)
