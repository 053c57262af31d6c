"""The network as boxes above a stream of ribbons, with the gradient flowing back; then that gradient by route."""

from typing import ClassVar

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import PLACES, POWERS, LogBars, plot
from app.pictures.diagrams.ribbon_diagram import RibbonDiagram
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.wiring.connectivity import WIDTH, Connectivity

ROUTES = {
    "branch": ("branch", "plain"),
    "skip": ("skip", "residual"),
    "carry": ("carry", "third"),
    "gate": ("gate", "fourth"),
}
"""Route → its label and color"""


class ConnectivityView(View[Connectivity]):
    """The ribbons, on one scale for all ways to join; a click on a box shows its inputs, another one deselects it."""

    needs: ClassVar = {"gate_bias": ("join", "gate"), "growth": ("join", "concatenate")}

    def draw(self) -> list[LayoutDOM]:
        self._ribbons = RibbonDiagram("Who reads what; green: backward pass", self._look)
        return [self._ribbons.figure]

    def measures(self) -> list[LayoutDOM]:
        back = plot(
            "Gradient along the stream, by route",
            "position in the stream (1: after the stem)",
            "norm",
            **PLACES,
            **POWERS,
        )
        self._back = LogBars(back, {"stream": ("all together", "soft"), **ROUTES})
        return [back]

    def update(self, frame: Frame) -> None:
        simulation = self.simulation
        blocks = len(frame["reads"])
        self._ribbons.show(frame, simulation.join, WIDTH + simulation.growth * blocks, simulation.look, simulation.off)
        routes = {route: frame[f"by_{route}"] for route in ROUTES}
        self._back.show(
            {"stream": frame["stream"], **{route: sizes for route, sizes in routes.items() if np.isfinite(sizes).any()}}
        )

    def _look(self, block: int) -> None:
        self.change("look", 0 if self.simulation.look == block else block)
