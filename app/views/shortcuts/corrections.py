"""A digit after every block; as measures, two numbers that change, and the digit's length and direction."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import PLACES, POWERS, empty, fit, paint, plot, quiet_legend
from app.pictures.charts.arrows import Arrows
from app.pictures.maps.image_stages import ImageStages
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import exact_or, formatted
from sims.simulations.shortcuts.corrections import Corrections

NAMES = {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")}


class CorrectionsView(View[Corrections]):
    """Every image is drawn at the input's size, so that a short vector is as visible as a long one."""

    def draw(self) -> list[LayoutDOM]:
        self._stages = {
            name: ImageStages(f"The digit in the {name} stack", color, dash)
            for name, (_, color, dash) in reversed(NAMES.items())
        }
        return [stages.figure for stages in self._stages.values()]

    def measures(self) -> list[LayoutDOM]:
        kinds = {"x": ("x", "idle", "solid")} | NAMES
        self._walk = Arrows("Two numbers: drag the input", kinds)
        self._walk.follow(self._point)
        lengths = plot("Length of the digit's vector", "block", "times the input's", height=220, **PLACES, **POWERS)
        turns = plot("Cosine with the input", "block", "1: same direction", y_range=(-1.08, 1.08), height=330, **PLACES)
        self._curves = {}
        for figure, measure in ((lengths, "norms"), (turns, "cosines")):
            for name, (label, color, dash) in NAMES.items():
                source = self._curves[f"{name}_{measure}"] = empty("x", "y")
                line = figure.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
                dots = figure.scatter("x", "y", source=source, size=6)
                paint(line, line_color=color)
                paint(dots, line_color=color, fill_color=color)
            quiet_legend(figure)
        self._lengths, self._axes = lengths, (lengths, turns)
        return [self._walk.figure, turns, lengths]

    def update(self, frame: Frame) -> None:
        depth = len(frame["plain_norms"]) - 1
        for name, stages in self._stages.items():
            cosine, length = (float(frame.results[f"{name}_{measure}"]) for measure in ("cosine", "norm"))
            text = f"cosine with the input:\n{formatted(cosine, '.2f')} at the end;\n{exact_or(length)} times as long"
            stages.show(frame[f"{name}_images"], frame[f"{name}_cosines"], NAMES[name][0], text)
        fit(self._lengths, [frame[f"{name}_norms"] for name in NAMES])
        for figure in self._axes:
            figure.x_range.update(start=-0.2, end=depth + 0.2)
        for key, source in self._curves.items():
            source.data = {"x": np.arange(depth + 1), "y": np.where(frame[key] == 0, np.nan, frame[key])}
        nowhere, walks = np.zeros(2), {name: frame[f"{name}_walk"] for name in NAMES}
        self._walk.show(
            {"x": (nowhere, walks["plain"][0])} | {name: (walk[:-1], walk[1:]) for name, walk in walks.items()}
        )

    def _point(self, x: float, y: float) -> None:
        """Move the input of the arrows to the pointer."""
        self.drag(x1=x, x2=y)
