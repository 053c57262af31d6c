"""Four walks back through each of two networks, the two gradients of every block, and the error."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.network_jacobians import NetworkJacobians

GRADIENTS = {
    "arriving": ("stream behind the block", "residual"),
    "first": ("first matrix", "third"),
    "last": ("second matrix", "fourth"),
}


class NetworkJacobiansView(View[NetworkJacobians]):
    """Walks on logarithmic axes, plain and residual; bars per block; error against steps."""

    def draw(self) -> list[LayoutDOM]:
        self._walks = {}
        figures = []
        for name in ("plain", "residual"):
            figure = plot(
                f"{name.capitalize()}: the way back to the input",
                "blocks gone back",
                "relative to the output",
                height=330,
                x_range=(0, 1),
                **POWERS,
            )
            self._walks[name] = Curves(
                figure,
                {
                    "bound": ("∏ spectral norms", "fifth", "dotted"),
                    "typical": ("∏ rms singular values", "third", "dashdot"),
                    "product": ("rms of the product", "ink", "dotdash"),
                    "gradient": ("its gradient", name, "dashed" if name == "plain" else "solid"),
                },
            )
            figures.append(figure)
        bars = plot("Residual: the gradients of each block", "block", "norm of the gradient", **PLACES, **POWERS)
        error = plot("Training error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._bars = LogBars(bars, GRADIENTS)
        self._legend: Any = bars.legend[0]
        self._error = Curves(
            error, {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")}
        )
        return [*figures, bars, error]

    def update(self, frame: Frame) -> None:
        for name, curves in self._walks.items():
            walks = {walk: read(frame, f"{name}_{walk}") for walk in ("bound", "typical", "product", "gradient")}
            places = len(walks["bound"][0])
            curves.show(np.arange(places), places - 1, walks)
        for name, item in zip(GRADIENTS, self._legend.items, strict=True):
            item.visible = name in frame.quantities
        self._bars.show({name: frame[name] for name in GRADIENTS if name in frame.quantities})
        self._error.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_error") for name in self._walks})
