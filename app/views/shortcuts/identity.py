"""Each stack as one matrix, next to the error while both train; as a measure, a bar per layer."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.direct import LOOKS, Bands, Dots
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import PLACES, POWERS, LogBars, empty, fit, paint, plot, ticks_at
from app.pictures.maps.matrix_picture import SHAPE, MatrixPair
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.shortcuts.identity import TARGETS, Identity

COLORS = {"plain": "plain", "residual": "residual"}
UNTRAINED = {name: f"{name}, untrained" for name in COLORS}
ALL_COLORS = COLORS | dict.fromkeys(UNTRAINED.values(), "idle")

FLOOR = 1e-8
"""Smaller losses are drawn at this value: below it, single precision shows only rounding errors."""

STRONGEST = 1.0
"""Absolute value of a matrix entry that has full color."""

BESIDE_ONE = np.array([0.5, 2.0])
"""Losses that the axis always includes, so that an output of zero is never at its edge"""

NOTHING = "zero output"
"""Label of the line that a network would reach by putting out zeros"""

ROOM, BESIDE = 84, 0.03
"""Pixels right of the axis of steps, for labels; room on it for dots at its ends, in runs"""


class IdentityView(View[Identity]):
    """Plain dashed, residual solid. Before the first step, when nothing is gained or lost, both are gray."""

    def draw(self) -> list[LayoutDOM]:
        self._matrices = MatrixPair("Each stack as one matrix, with its error", STRONGEST)
        loss = plot("Mean squared error while both train", "training step", "", x_range=(0, 1), **POWERS)
        loss.update(height=None, aspect_ratio=SHAPE)
        ticks_at(loss.xaxis, [])
        self._nothing = empty("x", "y")
        paint(loss.line("x", "y", source=self._nothing, line_width=1.5, line_dash="dotted"), line_color="soft")
        self._axis, self._loss, self._tips = loss, Bands(loss, LOOKS), Dots(loss, ALL_COLORS, 9)
        self._words = EndLabels(loss, ALL_COLORS | {NOTHING: "soft"}, ROOM)
        self._zeros = empty("x", "y")
        zeros = loss.scatter("x", "y", source=self._zeros, marker="x", size=8, line_width=2)
        paint(zeros, line_color="zero", fill_color="zero")
        return [self._matrices.figure, loss]

    def measures(self) -> list[LayoutDOM]:
        away = plot(
            "Distance of each layer's weights from copying",
            "layer, from input to output",
            "1: as far as zero from I",
            **PLACES,
            **POWERS,
        )
        self._away = LogBars(away, {name: (name, color) for name, color in COLORS.items()})
        return [away]

    def update(self, frame: Frame) -> None:
        errors = {name: f"error {number(float(frame.results[f'{name}_loss']), 2)}" for name in COLORS}
        matrices = {name: frame[f"{name}_matrix"] for name in COLORS}
        self._matrices.show(matrices, errors, TARGETS[self.simulation.target], trained=frame.step > 0)
        self._show_losses(frame)
        self._away.show({name: frame[f"{name}_distance"] for name in COLORS})

    def _show_losses(self, frame: Frame) -> None:
        steps = frame["steps"]
        bands = {name: [_drawable(line) for line in read(frame, f"{name}_loss")] for name in COLORS}
        fit(self._axis, [BESIDE_ONE, *(value for values in bands.values() for value in values)])
        self._loss.show(steps, bands)
        exact = np.concatenate([steps[frame[f"{name}_loss"] == 0] for name in COLORS])
        exact = exact[:: max(1, len(exact) // 20)]
        self._zeros.data = {"x": exact, "y": np.full(len(exact), FLOOR * 1.6)}
        names = dict(zip(COLORS, COLORS, strict=True)) if frame.step else UNTRAINED
        now = {names[name]: (float(steps[-1]), float(bands[name][0][-1])) for name in COLORS}
        finite = {name: place for name, place in now.items() if np.isfinite(place[1])}
        self._tips.show(finite)
        start, end = -BESIDE * frame.steps, (1 + BESIDE) * frame.steps
        self._axis.x_range.update(start=start, end=end)
        self._nothing.data = {"x": [start, end], "y": [1, 1]}
        ends = {names[name]: (float(bands[name][0][-1]), name) for name in COLORS}
        self._words.show(end, ends | ({NOTHING: (1.0, NOTHING)} if frame.step else {}))
        ticks_at(self._axis.xaxis, [0, frame.steps // 2, frame.steps])


def _drawable(values: np.ndarray) -> np.ndarray:
    """Losses for a logarithmic axis: smaller ones are raised to the floor."""
    lifted: np.ndarray = np.maximum(values, FLOOR)
    return lifted
