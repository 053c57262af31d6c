"""The picture of the surfaces whose shape is known."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.maps.surface import Surface, SurfaceData
from app.views.base import View
from sims.contract.frame import Frame


class SlopesView(View):
    """The surfaces alone."""

    def draw(self) -> list[LayoutDOM]:
        names = {"plain": ("plain", "plain"), "residual": ("residual", "residual")}
        axes = ("first direction", "second direction")
        self._surface = Surface("Two slopes", names, axes=axes, picked=self._picked)
        return [self._surface.model]

    def update(self, frame: Frame) -> None:
        names = ("residual",) if self.simulation.single else ("plain", "residual")
        tracks, balls = {}, {}
        if self.simulation.track:
            share = np.linspace(0, 1, 30)
            a, b = 0.9 * np.cos(4 * share) * (1 - share), 0.5 + 0.9 * np.sin(4 * share) * (1 - share)
            tracks["residual"] = np.stack([a, b, 0.25 + a**2 + (b - 0.5) ** 2], axis=1)
        if self.simulation.way:
            a = np.linspace(-0.9, 0.9, 41)[: self.simulation.way + 1]
            balls["residual"] = np.stack([a, 0 * a + 0.5, 0.2 + a**2], axis=1)
        self._surface.show(
            SurfaceData(
                frame["a"],
                frame["b"],
                {name: frame[name] for name in names},
                self.simulation.describe(frame),
                logarithmic=self.simulation.height == "logarithmic",
                tracks=tracks,
                balls=balls,
            )
        )

    def _picked(self, row: Any, column: Any) -> None:
        self.change("picked_row", row)
        self.change("picked_column", column)
