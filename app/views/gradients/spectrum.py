"""Singular values as columns of dots around 1: a column for every block, and one for all of them together. Below, the
effective rank of all blocks during the run."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import STEPS, Curves, empty, named_ticks, paint, plot, words
from app.pictures.base.pairs import pair
from app.pictures.base.questions import guessed_here, known
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number, tick
from sims.simulations.gradients.spectrum import NETWORKS, WIDTH, Spectrum

FOOT, HEAD = -2, 4
"""Powers of ten at the ends of the axis: values beyond are marked there"""

ROOM = 10**4.8
"""Upper end of the axis, including the words at the top"""

LOOKS = {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")}
"""Network → its label, color and dash"""

BELOW = 236
"""Height in pixels of the ranks"""

LABELED = 8
"""Maximum number of labeled blocks"""


class SpectrumView(View[Spectrum]):
    """Plain and residual on one fixed scale; crosses at the bottom are lost directions, triangles at the top lie
    above."""

    def draw(self) -> list[LayoutDOM]:
        self._figures: dict[str, Any] = {}
        self._dots, self._lost, self._ones, self._words = {}, {}, {}, {}
        for name in NETWORKS:
            figure = self._figures[name] = plot(
                f"{name.capitalize()}: singular values",
                "block",
                "stretch of a direction",
                x_range=(0, 1),
                y_range=(10.0**FOOT / 2, ROOM),
                y_axis_type="log",
            )
            named_ticks(figure.yaxis, {10.0**power: tick(power) for power in range(FOOT, HEAD + 1)})
            named_ticks(figure.xaxis, {})
            figure.ygrid.visible = False
            one = self._ones[name] = empty("x", "y")
            paint(figure.line("x", "y", source=one, line_width=1.4), line_color="edge")
            known(figure, one)
            dots = self._dots[name] = empty("x", "y", "size", "marker")
            paint(figure.scatter("x", "y", size="size", marker="marker", source=dots, line_color=None), fill_color=name)
            lost = self._lost[name] = empty("x", "y")
            paint(figure.scatter("x", "y", size=7, marker="x", line_width=1.6, source=lost), line_color="soft")
            label = self._words[name] = empty("x", "y", "text")
            words(figure, label, name, text_align="left", text_baseline="top")
        pair(self._figures.values())
        ranks = plot(
            "Effective rank, all blocks together",
            "training step",
            "directions",
            height=BELOW,
            y_range=(0, WIDTH),
            **STEPS,
        )
        ranks.styles = {"grid-column": "1 / -1"}
        self._curves = {"whole_rank": Curves(ranks, LOOKS)}
        guessed_here(ranks, "y")
        return [*self._figures.values(), ranks]

    def measures(self) -> list[LayoutDOM]:
        titles = {
            "near": ("Values between 1/2 and 2", "share of the blocks' values", (0, 1.04)),
            "error": ("Training error", "error", (0, 1)),
        }
        figures: list[LayoutDOM] = []
        for key, (title, label, ends) in titles.items():
            figure = plot(title, "training step", label, y_range=ends, **STEPS)
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
            self._curves[key] = Curves(figure, LOOKS)
            figures.append(figure)
        return figures

    def update(self, frame: Frame) -> None:
        for name, figure in self._figures.items():
            blocks, whole = frame[f"{name}_blocks"], frame[f"{name}_whole"]
            last, count = len(blocks), blocks.shape[1]
            step = -(-last // LABELED)
            together = last + 1 + step
            labels = {float(at): str(at) for at in range(step, last + 1, step)}
            named_ticks(figure.xaxis, labels | {float(together): "all"})
            figure.x_range.update(start=0, end=together + 1)
            self._ones[name].data = {"x": [0, together + 1], "y": [1, 1]}
            x = np.append(np.repeat(np.arange(1.0, last + 1), count), np.full(count, together))
            y = np.append(blocks.ravel(), whole)
            above, visible = y > 10.0**HEAD, y >= 10.0**FOOT
            size = np.where(x > last, 6.0, 4.0) + np.where(above, 4.0, 0.0)
            self._dots[name].data = {
                "x": x[visible],
                "y": np.minimum(y, 10.0**HEAD)[visible],
                "size": size[visible],
                "marker": np.where(above, "triangle", "circle")[visible].tolist(),
            }
            lost = np.unique(x[y < 10.0**FOOT])
            self._lost[name].data = {"x": lost, "y": np.full(len(lost), 10.0**FOOT)}
            rank, whole_rank = (number(float(frame.results[f"{name}_{kind}"])) for kind in ("block_rank", "whole_rank"))
            text = f"effective rank {rank} per block, {whole_rank} all"
            self._words[name].data = {"x": [last / 60], "y": [ROOM * 0.9], "text": [text]}
        for key, curves in self._curves.items():
            x = frame["steps" if key == "error" else "looks"]
            curves.show(x, frame.steps, {name: read(frame, f"{name}_{key}") for name in NETWORKS})
