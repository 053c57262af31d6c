"""Loss of every variant, what it costs, its gradients, and what gates and factors it has learned."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.costs import Costs
from app.pictures.figures import POWERS, STEPS, Curves, empty, paint, plot
from app.views.base import View
from sims.contract.bands import ENDINGS, read
from sims.contract.frame import Frame
from sims.simulations.variants import VARIANTS, Variants

LINES = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("additive", "residual", "solid"),
    "rezero": ("ReZero", "third", "dashed"),
    "highway": ("highway", "fifth", "solid"),
    "dense": ("dense", "third", "solid"),
    "thinned": ("stochastic depth", "residual", "dotted"),
}
"""Variant → label, color and dash of its curve"""


class VariantsView(View[Variants]):
    """Seven figures; lanes stand in the order of the variants."""

    def draw(self) -> list[LayoutDOM]:
        loss = plot("Loss", "training step", "cross-entropy (nats)", height=330, **STEPS, **POWERS)
        gradients = plot(
            "Gradient of each layer's weights", "layer, from input to output", "norm", height=330, **STEPS, **POWERS
        )
        self._loss = Curves(loss, LINES)
        self._gradients = Curves(gradients, LINES)
        self._costs = Costs()
        gates = plot("How far the highway's gates are open", "block", "mean of T", x_range=(0, 1), y_range=(0, 1))
        factors = plot("What ReZero has learned", "block", "factor α", x_range=(0, 1), y_range=(-1, 1))
        self._dots = {}
        for name, figure, color in (("gates", gates, "fifth"), ("factors", factors, "third")):
            source = self._dots[name] = empty("block", "value")
            paint(
                figure.scatter("block", "value", source=source, size=6, fill_alpha=0.5),
                fill_color=color,
                line_color=color,
            )
        self._blocks = [gates.x_range, factors.x_range]
        return [loss, gradients, *self._costs.figures, gates, factors]

    def update(self, frame: Frame) -> None:
        measure = self.simulation.measure
        bands = {name: read(frame, f"{name}_{measure}_loss") for name in LINES}
        self._loss.show(frame["steps"], frame.steps, bands)
        layers = np.arange(1, self.simulation.depth + 3)
        medians = {name: [frame[f"{name}_gradients"]] * len(ENDINGS) for name in LINES}
        self._gradients.show(layers, len(layers), medians)
        self._costs.show(frame, VARIANTS)
        for name, source in self._dots.items():
            seeds, blocks = frame[name].shape
            source.data = {"block": np.tile(np.arange(1, blocks + 1), seeds), "value": frame[name].reshape(-1)}
        for axis in self._blocks:
            axis.update(start=0, end=frame["gates"].shape[1] + 1)
