"""Surfaces whose shape is known, for the tests of their picture."""

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation


class Slopes(Simulation):
    """Two surfaces of known shape

    A bowl and a bowl with waves, over the same plane, with holes where the test wants them.
    """

    points = param.Integer(25, bounds=(6, 81), label="Points", doc="points along a side")
    height = param.Selector(default="linear", objects=["linear", "logarithmic"], label="Height", doc="vertical axis")
    holes = param.Boolean(False, label="Holes", doc="whether some points are unresolved")
    track = param.Boolean(True, label="Track", doc="whether a trajectory is drawn")
    way = param.Integer(0, bounds=(0, 40), label="Way", doc="points of the ball's way")
    single = param.Boolean(False, label="Single", doc="whether only one surface is shown")
    picked_row = param.Integer(0, bounds=(0, 80), precedence=-1, label="Row", doc="row that was chosen")
    picked_column = param.Integer(0, bounds=(0, 80), precedence=-1, label="Column", doc="column that was chosen")

    def compute(self) -> Frame:
        a, b = np.linspace(-1, 1, self.points), np.linspace(-0.5, 1.5, self.points)
        across, along = np.meshgrid(a, b)
        bowl = 0.2 + across**2 + (along - 0.5) ** 2
        waves = 3 * bowl + 0.8 * (1 + np.sin(9 * across) * np.cos(7 * along))
        if self.holes:
            waves[(across > 0.2) & (along > 0.5)] = np.nan
            bowl[0, 0] = np.inf
        return Frame(
            {
                "a": Quantity(a, "first direction", axes=("column",)),
                "b": Quantity(b, "second direction", axes=("row",)),
                "plain": Quantity(waves, "loss", axes=("row", "column")),
                "residual": Quantity(bowl, "loss", axes=("row", "column")),
            },
            {"row": self.picked_row, "column": self.picked_column},
        )

    def describe(self, frame: Frame) -> str:
        return f"Two surfaces over {self.points} by {self.points} points, of which the lower one is a bowl."

    def disclosure(self) -> Disclosure:
        return Disclosure("None.", "A formula.", "None.", "Anything but a test.")
