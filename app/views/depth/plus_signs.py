"""The network with its switches; as measures, signals over the blocks before training and now, and curves."""

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import POWERS, STEPS, Curves, empty, fit, paint, plot, quiet_legend
from app.pictures.charts.likenesses import COSINE_RANGE
from app.pictures.charts.lit_network import Light, LitNetwork
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.number_list import written
from sims.contract.wording import number, percent
from sims.simulations.depth.plus_signs import BLOCKS, PlusSigns, angle

SIGNALS = {
    "stream": ("Size of the stream", "relative to the stem's output"),
    "gradient": ("Gradient of the stream", "relative to the last block"),
    "likeness": ("Likeness of different images", "mean cosine"),
}

TIMES = {"at start": ("before training", "idle", "dashed"), "now": ("now", "accent", "solid")}


class PlusSignsView(View[PlusSigns]):
    """A click on an arc takes its plus sign out, or puts it back."""

    def draw(self) -> list[LayoutDOM]:
        self._network = LitNetwork("Press an arc to remove its plus sign", max(BLOCKS), self._switch)
        return [self._network.figure]

    def measures(self) -> list[LayoutDOM]:
        self._charts, self._lines = {}, {}
        for name, (title, unit) in SIGNALS.items():
            scale = {"y_range": COSINE_RANGE} if name == "likeness" else POWERS
            chart = self._charts[name] = plot(title, "block", unit, x_range=(0, max(BLOCKS)), **scale)
            for time, (label, color, dash) in TIMES.items():
                source = self._lines[name, time] = empty("x", "y")
                line = chart.line("x", "y", source=source, line_width=2.4, line_dash=dash, legend_label=label)
                paint(line, line_color=color)
            quiet_legend(chart)
        error = plot("Error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        self._error = Curves(
            error, {"train": ("training", "accent", "solid"), "test": ("held-out", "fourth", "dashed")}
        )
        self._loss = Curves(loss, {"train": ("median and range of the seeds", "accent", "solid")})
        return [*self._charts.values(), error, loss]

    def update(self, frame: Frame) -> None:
        simulation, results = self.simulation, frame.results
        error, lowest, highest = (float(values[-1]) for values in read(frame, "train_error"))
        degrees = np.array([angle(float(cosine)) for cosine in frame["likeness at start"]])
        self._network.show(
            Light(
                frame["stream at start"],
                degrees,
                frame["gradient at start"],
                error,
                lowest,
                highest,
                f"Forward →  stream × {number(float(results['stream']), 2)}, images {number(degrees[-1], 2)}° apart",
                f"← Back  gradient × {number(float(results['gradient']), 2)}",
                f"Training error after {frame.step} of {frame.steps} steps: {percent(error)}",
            ),
            simulation.without,
        )
        for name, chart in self._charts.items():
            places = np.arange(simulation.blocks + 1)
            chart.x_range.update(end=simulation.blocks)
            for time in TIMES:
                values = frame[f"{name} {time}"]
                shown = values if name == "likeness" else np.where(values > 0, values, np.nan)
                self._lines[name, time].data = {"x": places, "y": shown}
            if name != "likeness":
                fit(chart, [frame[f"{name} {time}"] for time in TIMES])
        bands = {kind: read(frame, f"{kind}_error") for kind in ("train", "test")}
        self._error.show(frame["steps"], frame.steps, bands)
        self._loss.show(frame["steps"], frame.steps, {"train": read(frame, "train_loss")})

    def _switch(self, block: int) -> None:
        self.change("cut", written({block}.symmetric_difference(self.simulation.without)))
