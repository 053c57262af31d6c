"""The loss without each sublayer, above the size of its update; as measures, several removed, and an early exit."""

from bokeh.models import LayoutDOM, NumeralTickFormatter
from bokeh.plotting import figure

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import Curves, plot
from app.pictures.base.looks import PLACEMENTS
from app.pictures.base.questions import drawn_here
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.norm_placement.plateau import PLACED, Plateau

LINES = {name: PLACEMENTS[name][:3] for name in PLACED}


ROOM = 112
"""Pixels right of the shares, for the names of their lines"""


HANDLE = 14
"""Pixels right of the losses, for half a handle of a drawn curve"""


class PlateauView(View[Plateau]):
    """Two figures over the same sublayers, and two over the number removed or passed."""

    def draw(self) -> list[LayoutDOM]:
        lost = plot(
            "Rise of the error without it",
            "sublayer",
            "rise",
            height=310,
            x_range=(0, 1),
            y_range=(-0.02, 1.0),
            min_border_right=HANDLE,
            frame_align={"left": True, "right": False, "top": True, "bottom": True},
        )
        share = plot(
            "What it adds, as a share of its stream", "sublayer", "share", height=310, x_range=(0, 1), y_range=(0, 1)
        )
        self._figures = {"lost": lost, "share": share}
        drawn_here(lost)
        pictures: list[LayoutDOM] = [self._curved(name, name == "lost") for name in self._figures]
        share.legend[0].visible = False
        self._ends = EndLabels(share, {name: color for name, (_label, color, _dash) in LINES.items()}, ROOM)
        return pictures

    def measures(self) -> list[LayoutDOM]:
        self._figures |= {
            "pruned": plot(
                "Error without several, least rotation first", "left out", "error", x_range=(0, 1), y_range=(-0.02, 1.0)
            ),
            "exit": plot("Error of the head after so many", "passed", "error", x_range=(0, 1), y_range=(-0.02, 1.0)),
        }
        return [self._curved(name, True) for name in ("pruned", "exit")]

    def _curved(self, name: str, percent: bool) -> figure:
        chart = self._figures[name]
        if percent:
            chart.yaxis.formatter = NumeralTickFormatter(format="0%")
        self._curves = getattr(self, "_curves", {}) | {name: Curves(chart, LINES)}
        chart.legend[0].update(ncols=len(LINES))
        return chart

    def update(self, frame: Frame) -> None:
        for name, curves in self._curves.items():
            places = frame["block" if name in ("lost", "share") else "count"]
            self._figures[name].x_range.update(start=int(places[0]), end=int(places[-1]))
            bands = {placement: read(frame, f"{placement}_{name}") for placement in PLACED}
            curves.show(places, int(places[-1]), bands)
            if name == "share":
                top = max(float(high.max()) for _middle, _low, high in bands.values())
                self._figures[name].y_range.update(end=1.05 * top)
                last = {placement: float(middle[-1]) for placement, (middle, _low, _high) in bands.items()}
                self._ends.show(
                    float(places[-1]),
                    {placement: (end, f"{LINES[placement][0]} {number(end, 2)}") for placement, end in last.items()},
                )
