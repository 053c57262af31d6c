"""Every variant in its wiring, with gradients and loss; as measures, curves, costs, and what gates have learned."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, STEPS, Curves, empty, paint, plot
from app.pictures.charts.key_table import KeyTable
from app.pictures.charts.lanes import Lanes
from app.pictures.charts.wired_strips import Strip, WiredStrips
from app.views.base import View
from sims.contract.bands import ENDINGS, read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.wiring.variants import VARIANTS, Variants

LINES = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("additive", "residual", "solid"),
    "residual_relu": ("ReLU last", "residual", "dashed"),
    "rezero": ("ReZero", "third", "dashed"),
    "highway": ("highway", "fifth", "solid"),
    "dense": ("dense", "third", "solid"),
    "thinned": ("stochastic depth", "residual", "dotted"),
}
"""Variant → label, color and dash of its curve"""

COLUMNS = {"fit": 0.44, "parameters": 0.67, "products": 0.87, "ms": 1.0}
UNTIMED = {"fit": 0.5, "parameters": 0.78, "products": 1.0}
"""Heading of a table column → where it ends, and the same before anything was timed"""

NOTHING = "–"


class VariantsView(View[Variants]):
    """A strip for every network; the curves, the table that labels their lines, and three figures as measures."""

    def draw(self) -> list[LayoutDOM]:
        self._strips = WiredStrips("Seven networks", LINES)
        return [self._strips.figure]

    def measures(self) -> list[LayoutDOM]:
        self._table = KeyTable("Seeds that fit; products for one point, ms per step", LINES)
        self._table.figure.styles = {"grid-column": "1 / -1"}
        loss = plot("Loss", "training step", "nats", **STEPS, **POWERS)
        gradients = plot("Gradient of each layer's weights", "layer, from input to output", "norm", **STEPS, **POWERS)
        self._loss, self._gradients = Curves(loss, LINES), Curves(gradients, LINES)
        for chart in (loss, gradients):
            chart.legend[0].visible = False
        gates = plot("How far the highway's gates are open", "block", "mean of T", x_range=(0, 1), y_range=(0, 1))
        factors = plot("What ReZero has learned", "block", "factor α", x_range=(0, 1), y_range=(-1, 1))
        self._dots = {}
        for name, figure, color in (("gates", gates, "fifth"), ("factors", factors, "third")):
            source = self._dots[name] = empty("block", "value")
            dots = figure.scatter("block", "value", source=source, size=6, fill_alpha=0.5)
            paint(dots, fill_color=color, line_color=color)
        self._blocks = [gates.x_range, factors.x_range]
        self._kept = Lanes("Activations kept for the backward pass", "megabytes", {"bar": "soft"})
        return [self._table.figure, loss, gradients, gates, factors, self._kept.figure]

    def update(self, frame: Frame) -> None:
        measure = self.simulation.measure
        bands = {name: read(frame, f"{name}_{measure}_loss") for name in LINES}
        self._strips.show([self._strip(frame, name, bands[name]) for name in VARIANTS])
        self._loss.show(frame["steps"], frame.steps, bands)
        layers = np.arange(1, self.simulation.depth + 3)
        medians = {name: [frame[f"{name}_gradients"]] * len(ENDINGS) for name in LINES}
        self._gradients.show(layers, len(layers), medians)
        columns = COLUMNS if any(f"{name}_milliseconds" in frame.results for name in VARIANTS) else UNTIMED
        self._table.show(columns, [self._row(frame, name, at)[: len(columns)] for at, name in enumerate(VARIANTS)])
        megabytes = frame["kept"] / 1e6
        texts = [number(size, 2) for size in megabytes.tolist()]
        self._kept.show(list(VARIANTS.values()), megabytes, texts, ["bar"] * len(VARIANTS))
        for name, source in self._dots.items():
            seeds, blocks = frame[name].shape
            source.data = {"block": np.tile(np.arange(1, blocks + 1), seeds), "value": frame[name].reshape(-1)}
        for axis in self._blocks:
            axis.update(start=0, end=frame["gates"].shape[1] + 1)

    def _strip(self, frame: Frame, name: str, loss: list[np.ndarray]) -> Strip:
        median, lowest, highest = (float(values[-1]) for values in loss)
        fits = f"{frame.results[f'{name}_fits']} of {self.simulation.seeds} fit" if frame.step else ""
        return Strip(name, LINES[name][0], frame[f"{name}_gradients"], (median, lowest, highest), fits)

    def _row(self, frame: Frame, name: str, at: int) -> list[str]:
        """The texts of one variant, in the order of the columns."""
        fits = f"{frame.results[f'{name}_fits']}/{self.simulation.seeds}" if frame.step else NOTHING
        time = frame.results.get(f"{name}_milliseconds")
        return [
            fits,
            number(int(frame["parameters"][at])),
            number(int(frame["multiplications"][at])),
            NOTHING if time is None else number(float(time), 2),
        ]
