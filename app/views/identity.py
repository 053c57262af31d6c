"""Two curves of loss, a bar per layer, and what each stack does as one matrix."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import PLACES, POWERS, STEPS, Curves, LogBars, empty, paint, plot
from app.pictures.matrix_picture import MatrixPicture
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.identity import Identity

NAMES = {"plain": ("plain", "plain", "dashed"), "residual": ("residual", "residual", "solid")}

FLOOR = 1e-8
"""Smaller losses are drawn here: below, single precision only shows its own rounding."""

STRONGEST = 2.0
"""Entry of a matrix that has the full color."""


class IdentityView(View[Identity]):
    """Plain dashed, residual solid."""

    def draw(self) -> list[LayoutDOM]:
        loss = plot("Distance from the wanted output", "training step", "mean squared error", **STEPS, **POWERS)
        away = plot(
            "Distance of each layer's weights from copying",
            "layer, from input to output",
            "1: as far as zero from I",
            **PLACES,
            **POWERS,
        )
        self._loss = Curves(loss, NAMES)
        self._zeros = empty("x", "y")
        zeros = loss.scatter("x", "y", source=self._zeros, marker="x", size=8, line_width=2)
        paint(zeros, line_color="zero", fill_color="zero")
        self._away = LogBars(away, {name: look[:2] for name, look in NAMES.items()})
        self._matrices = {
            "plain": MatrixPicture("The plain stack as one matrix", STRONGEST),
            "residual": MatrixPicture("The residual stack as one matrix", STRONGEST),
        }
        return [loss, away, *(each.figure for each in self._matrices.values())]

    def update(self, frame: Frame) -> None:
        exact = [frame["steps"][frame[f"{name}_loss"] == 0] for name in NAMES]
        bands = {name: [_drawable(each) for each in read(frame, f"{name}_loss")] for name in NAMES}
        self._loss.show(frame["steps"], frame.steps, bands)
        steps = np.concatenate(exact)[:: max(1, sum(map(len, exact)) // 20)]
        self._zeros.data = {"x": steps, "y": np.full(len(steps), FLOOR * 1.6)}
        self._away.show({name: frame[f"{name}_distance"] for name in NAMES})
        for name, picture in self._matrices.items():
            picture.show(frame[f"{name}_matrix"])


def _drawable(values: np.ndarray) -> np.ndarray:
    """Losses for a logarithmic axis: nothing below the floor."""
    lifted: np.ndarray = np.maximum(values, FLOOR)
    return lifted
