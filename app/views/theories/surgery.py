"""Misclassified images with each block removed or swapped, and with more and more of them."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.direct import LOOKS, Bands, Words
from app.pictures.base.figures import empty, paint, plot, ticks_at, words
from app.pictures.base.pairs import pair
from app.pictures.base.questions import known, until_answered
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.theories.surgery import NETWORKS, Surgery

LOWEST = -0.06
"""Start of the axis of errors, low enough to make a label at 0 readable"""

ROOM = 1.45
"""Length of a horizontal axis relative to its data: names are to the right"""

TITLES = {
    "delete": ("Without one block", "block taken out", "Without several", "blocks taken out"),
    "swap": ("Two neighbors swapped", "between the swapped blocks", "More and more swaps", "swaps of neighbors"),
}


class SurgeryView(View[Surgery]):
    """Plain dashed, residual solid; a thin line is the network as trained."""

    def draw(self) -> list[LayoutDOM]:
        one_title, one_label, several_title, several_label = TITLES["delete"]
        self._one = plot(one_title, one_label, "images wrong", x_range=(0, 1), y_range=(LOWEST, 1.04))
        self._several = plot(several_title, several_label, "images wrong", x_range=(0, 1), y_range=(LOWEST, 1.04))
        for figure in (self._one, self._several):
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
            ticks_at(figure.yaxis, [0, 0.25, 0.5, 0.75, 1])
            ticks_at(figure.xaxis, [])
        self._whole, self._trained = {name: empty("x", "y") for name in NETWORKS}, empty("x", "y", "text")
        for figure in (self._one, self._several):
            for name, (color, _) in LOOKS.items():
                whole = figure.line("x", "y", source=self._whole[name], line_width=1, line_dash="dotted")
                paint(whole, line_color=color)
                known(figure, whole)
            until_answered(figure, words(figure, self._trained, "soft", text_baseline="bottom", y_offset=-4))
        self._singles, self._many = Bands(self._one, LOOKS, dots=True), Bands(self._several, LOOKS, dots=True)
        colors = {name: name for name in NETWORKS}
        self._names, self._ends = Words(self._one, colors, 0.09), Words(self._several, colors, 0.09)
        pair((self._one, self._several))
        return [self._one, self._several]

    def update(self, frame: Frame) -> None:
        operation = self.simulation.operation
        places, numbers = frame[f"{operation}_places"], frame["numbers"]
        one_title, one_label, several_title, several_label = TITLES[operation]
        for figure, title, label in (
            (self._one, one_title, one_label),
            (self._several, several_title, several_label),
        ):
            heading: Any = figure.title
            heading.text = title
            figure.xaxis[0].axis_label = label
        last = float(frame["delete_places"][-1])
        self._one.x_range.update(start=0.4, end=ROOM * last)
        self._several.x_range.update(start=-0.4, end=ROOM * float(numbers[-1]))
        ticks_at(self._one.xaxis, frame["delete_places"].tolist()[:: 1 + len(places) // 10])
        ticks_at(self._several.xaxis, numbers.tolist())
        singles = {name: read(frame, f"{name}_{operation}") for name in NETWORKS}
        several = {name: read(frame, f"{name}_{operation}_several") for name in NETWORKS}
        self._singles.show(places, singles)
        self._many.show(numbers, several)
        for name, source in self._whole.items():
            whole = float(frame.results[f"{name}_whole"])
            source.data = {"x": np.array([-0.4, last]), "y": np.array([whole, whole])}
        highest = max(float(frame.results[f"{name}_whole"]) for name in NETWORKS)
        self._trained.data = {"x": [last / 2], "y": [highest], "text": ["both, with all blocks in place"]}
        self._names.show({name: (float(places[-1]), float(bands[0][-1]), name) for name, bands in singles.items()})
        self._ends.show({name: (float(numbers[-1]), float(bands[0][-1]), name) for name, bands in several.items()})
