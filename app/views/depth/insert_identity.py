"""A trained network with layers inserted, the effect on its outputs, and how it trains on."""

from bokeh.models import InlineStyleSheet, LayoutDOM, NumeralTickFormatter

from app.pictures.base.direct import Bands, Dots
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, STEPS, Curves, empty, named_ticks, paint, plot, ticks_at
from app.pictures.diagrams.inserted import OUTPUTS, Rays, TwoOutputs
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import percent, tick
from sims.simulations.depth.insert_identity import InsertIdentity

LOOKS = {"shallow": ("idle", "dotted"), "deep": ("plain", "dashed")}
COLORS = {name: color for name, (color, _) in LOOKS.items()}
WORDS = {"shallow": "before", "deep": "after"}

FLOOR = 1e-9
"""Where an exact zero is drawn on the logarithmic axis, as a gray cross."""

ROOM, BESIDE = 96, 0.03
"""Pixels right of the axis of steps, for labels; room on it for dots at its ends, in runs"""

LOW = "@media (max-width: 40em) { :host { height: 165px !important; } }"
"""On a phone, all three charts and the buttons below them fit on the screen."""


class InsertIdentityView(View[InsertIdentity]):
    """Activations on their way through, the outputs overlaid, and the error as training goes on."""

    def draw(self) -> list[LayoutDOM]:
        self._rays = Rays("One example on its way through the network")
        self._outputs = TwoOutputs("Its outputs for one example")
        error = plot(
            "Training error as it trains on", "further step", "", height=OUTPUTS, x_range=(0, 1), y_range=(-0.14, 1.04)
        )
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        ticks_at(error.yaxis, [0, 0.5, 1])
        ticks_at(error.xaxis, [])
        self._error, self._curves, self._tips = error, Bands(error, LOOKS), Dots(error, COLORS, 9)
        self._words = EndLabels(error, COLORS, ROOM)
        for chart in (self._outputs.figure, error):
            chart.stylesheets = [*chart.stylesheets, InlineStyleSheet(css=LOW)]
        return [self._rays.figure, self._outputs.figure, error]

    def measures(self) -> list[LayoutDOM]:
        self._rays_now = Rays("The same example after further training")
        change = plot(
            "Largest change of any output",
            "seed",
            "change",
            y_axis_type="log",
            y_range=(FLOOR / 3, 1e3),
            x_range=(0.3, 5.7),
        )
        named_ticks(change.yaxis, {FLOOR: "exactly 0"} | {10.0**power: tick(power) for power in (-6, -3, 0, 3)})
        ticks_at(change.xaxis, range(1, 6))
        self._change, self._zero = empty("x", "y"), empty("x", "y")
        moved = change.scatter("x", "y", source=self._change, size=11)
        still = change.scatter("x", "y", source=self._zero, marker="x", size=13, line_width=3)
        paint(moved, fill_color="plain", line_color="plain")
        paint(still, line_color="zero", fill_color="zero")
        loss = plot("Training loss", "further step", "cross-entropy (nats)", **STEPS, **POWERS)
        self._loss = Curves(loss, {name: (WORDS[name], *look) for name, look in LOOKS.items()})
        return [self._rays_now.figure, change, loss]

    def update(self, frame: Frame) -> None:
        for rays, name in ((self._rays, "activations"), (self._rays_now, "activations_now")):
            rays.show(frame[name], self.simulation.weights == "identity")
        self._outputs.show(frame["outputs_before"], frame["outputs_after"], float(frame.results["change"]))
        bands = {name: read(frame, f"{name}_error") for name in LOOKS}
        self._curves.show(frame["steps"], bands)
        now = {name: (float(frame["steps"][-1]), float(middle[-1])) for name, (middle, *_) in bands.items()}
        self._tips.show(now)
        end = (1 + BESIDE) * frame.steps
        self._error.x_range.update(start=-BESIDE * frame.steps, end=end)
        self._words.show(end, {name: (y, f"{WORDS[name]} {percent(y)}") for name, (_x, y) in now.items()})
        ticks_at(self._error.xaxis, [0, frame.steps // 2, frame.steps])
        self._loss.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_loss") for name in LOOKS})
        seeds = list(enumerate(frame["change"].tolist(), start=1))
        for source, rows in (
            (self._change, [seed for seed in seeds if seed[1] > 0]),
            (self._zero, [(x, FLOOR) for x, y in seeds if y == 0]),
        ):
            source.data = {"x": [x for x, _ in rows], "y": [y for _, y in rows]}
