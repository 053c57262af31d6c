"""Four walks backward through each of two networks, the two gradients of every block, and the error."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, STEPS, Curves, empty, fit, paint, plot
from app.pictures.base.pairs import LOW, pair
from app.pictures.base.questions import known
from app.pictures.maps.lit_blocks import ROWS, LitBlocks
from app.views.base import View
from sims.contract.bands import ENDINGS, read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.gradients.network_jacobians import NetworkJacobians

NAMES = ("plain", "residual")
WALKS = {
    "bound": ("allowed", "fifth", "dotted"),
    "typical": ("suggested", "third", "dashdot"),
    "product": ("product", "ink", "dotdash"),
    "gradient": ("gradient", "", ""),
}
"""Walk → its label, color and dash; the gradient has the color and the dash of its network."""

FROM_SINGLE_BLOCKS = ("bound", "typical")
"""Walks that are products of one number for each block"""

HIGH, BESIDE = 350, 260
"""Height of the blocks in pixels as the main picture, and as a measure"""

WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class NetworkJacobiansView(View[NetworkJacobians]):
    """Walks on one logarithmic scale, plain and residual; bars per block; error against steps.

    Before the prediction, only the walks that follow from single blocks are there.

    If the last layers start at zero, the figure is about the gradients of its blocks: then the bars are its main
    picture.
    """

    def draw(self) -> list[LayoutDOM]:
        about_blocks = self.simulation.initialization == "zero-last"
        walks, blocks = self._draw_walks(), self._draw_blocks(HIGH if about_blocks else BESIDE)
        stage, self._others = (blocks, walks) if about_blocks else (walks, blocks)
        return stage

    def measures(self) -> list[LayoutDOM]:
        error = plot("Training error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._error = Curves(
            error, {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")}
        )
        return [*self._others, error]

    def _draw_walks(self) -> list[LayoutDOM]:
        self._walks: dict[str, Any] = {}
        self._sources, self._ends = {}, {}
        for name in NAMES:
            figure = self._walks[name] = plot(
                f"{name.capitalize()}: from output to input",
                "blocks passed",
                "relative to the output",
                height=LOW,
                x_range=(0, 1),
                **POWERS,
            )
            columns = [f"{walk}{ending}" for walk in WALKS for ending in ENDINGS.values()]
            source = self._sources[name] = empty("x", *columns)
            colors = {}
            for walk, (_words, own, dash) in WALKS.items():
                color = colors[walk] = own or name
                band = figure.varea("x", f"{walk}_low", f"{walk}_high", source=source, fill_alpha=0.16)
                line = figure.line(
                    "x",
                    walk,
                    source=source,
                    line_width=2 if own else 3.4,
                    line_dash=dash or ("dashed" if name == "plain" else "solid"),
                )
                paint(band, fill_color=color)
                paint(line, line_color=color)
                if walk in FROM_SINGLE_BLOCKS:
                    known(figure, band, line)
            self._ends[name] = EndLabels(figure, colors, 126)
            known(figure, *self._ends[name].of(*FROM_SINGLE_BLOCKS))
        pair(self._walks.values())
        return list(self._walks.values())

    def _draw_blocks(self, height: int) -> list[LayoutDOM]:
        self._blocks = LitBlocks("Residual: what comes back from the loss, by size", height)
        self._blocks.figure.styles = dict(WHOLE_WIDTH)
        return [self._blocks.figure]

    def update(self, frame: Frame) -> None:
        everything = []
        for name, source in self._sources.items():
            walks = {walk: read(frame, f"{name}_{walk}") for walk in WALKS}
            places = len(walks["bound"][0])
            columns = {
                f"{walk}{ending}": band
                for walk, bands in walks.items()
                for ending, band in zip(ENDINGS.values(), bands, strict=True)
            }
            source.data = {"x": np.arange(places), **columns}
            self._walks[name].x_range.update(start=0, end=places - 1)
            everything += list(columns.values())
        for name, figure in self._walks.items():
            fit(figure, everything)
            ends = {walk: float(frame[f"{name}_{walk}"][-1]) for walk in WALKS}
            labels = {walk: (end, f"{WALKS[walk][0]} {number(end, 2)}") for walk, end in ends.items()}
            self._ends[name].show(len(frame[f"{name}_bound"]) - 1, labels)
        self._blocks.show({name: frame[name] for name in ROWS if name in frame.quantities})
        self._error.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_error") for name in NAMES})
