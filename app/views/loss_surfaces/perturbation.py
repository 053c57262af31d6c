"""Five bars for five small networks, and a change that travels through four deep ones."""

from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import PLACES, POWERS, empty, fit, paint, plot
from app.pictures.charts.lanes import Lanes
from app.views.base import View
from sims.contract.bands import ENDINGS, read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.loss_surfaces.perturbation import Perturbation

DEEP = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("residual", "residual", "solid"),
    "scaled": ("branches / √L", "third", "dotdash"),
    "pre-layer": ("Pre-LN", "fourth", "dotted"),
}


class PerturbationView(View[Perturbation]):
    """How far outputs move, and how far the stream moves block by block. A click on a block changes that one."""

    def draw(self) -> list[LayoutDOM]:
        self._rows = Lanes(
            "Five small networks",
            "how far the output moves",
            {"plain": "plain", "residual": "residual"},
            room=0.28,
        )
        self._rows.figure.ygrid.visible = True
        travel = self._travel = plot(
            "Four deep networks: a change travels", "block: press to change another", "change", **PLACES, **POWERS
        )
        self._source = empty("x", *(f"{name}{ending}" for name in DEEP for ending in ENDINGS.values()))
        for name, (_label, color, dash) in DEEP.items():
            band = travel.varea("x", f"{name}_low", f"{name}_high", source=self._source, fill_alpha=0.16)
            line = travel.line("x", name, source=self._source, line_width=2.4, line_dash=dash)
            paint(band, fill_color=color)
            paint(line, line_color=color)
        self._ends = EndLabels(travel, {name: color for name, (_label, color, _dash) in DEEP.items()}, 86)
        travel.on_event(Tap, self._on_pointer)
        for chart in (self._rows.figure, travel):
            # The names of the networks are long: on a phone they must not take space from the curves too.
            chart.update(frame_align=False)
        return [self._rows.figure, travel]

    def update(self, frame: Frame) -> None:
        names = frame["network"].tolist()
        texts = [number(length) for length in frame["change"].tolist()]
        kinds = ["plain" if name.startswith("plain") else "residual" for name in names]
        self._rows.show(names, frame["change"], texts, kinds, longest=0.1)
        behind = slice(int(frame.results["place"]), None)
        columns = {
            f"{name}{ending}": values[behind]
            for name in DEEP
            for ending, values in zip(ENDINGS.values(), read(frame, name), strict=True)
        }
        last = max(len(frame["block"]) - 1, 2)
        self._source.data = {"x": frame["block"][behind], **columns}
        self._travel.x_range.update(start=0, end=last)
        fit(self._travel, list(columns.values()))
        ends = {name: float(columns[name][-1]) for name in DEEP if np.size(columns[name])}
        self._ends.show(last, {name: (end, DEEP[name][0]) for name, end in ends.items()})

    def _on_pointer(self, event: Any) -> None:
        if isinstance(event.x, float | int):
            self.change("place", max(1, round(event.x)))
