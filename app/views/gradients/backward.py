"""The block as a stream with two branches, and next to it the values that the present line reads and writes."""

import math
from collections.abc import Mapping

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot
from app.pictures.diagrams.plan_diagram import PlanDiagram
from app.pictures.diagrams.plan_layout import LAYOUTS, LINES, READS, moment_back
from app.pictures.maps.line_tensors import CHECK, LineTensors, Map, Rows, verdict
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import tick
from sims.simulations.gradients.backward import AGREES, Backward

HEADS_APART = 1
FLOOR = 1e-12
"""Position on a logarithmic axis of an error that is exactly 0, and of a gradient that did not change"""

KINDS = {"right": ("healthy", "circle"), "wrong": ("failing", "triangle"), "none": ("zero", "x")}
"""Kind of a dot → its color and its marker"""


class BackwardView(View[Backward]):
    """Both pictures contain all moments; the page plays them."""

    def draw(self) -> list[LayoutDOM]:
        self._plan = PlanDiagram("One stream, two branches", self._on_line)
        self._tensors = LineTensors("The line at work")
        self._plan.play("moment", self._tensors.timed)
        return [self._plan.figure, self._tensors.figure]

    def measures(self) -> list[LayoutDOM]:
        self._errors = Dots("Error of every gradient by hand", "relative error against finite differences")
        self._moved = Dots("What an edited weight moves", "gradient's change, relative to its size")
        return [self._errors.figure, self._moved.figure]

    def update(self, frame: Frame) -> None:
        simulation = self.simulation
        agrees, faults = AGREES[simulation.precision], simulation.faults(frame)
        names = [line.name for line in simulation.lines()]
        self._plan.show(simulation.arrangement, names, simulation.moment, faults, agrees, simulation.wrong_lines())
        moments = {line: self._forward(frame, line) for line in range(1, LINES + 1)}
        moments |= {moment_back(line): self._back(frame, line, faults, agrees) for line in range(1, LINES + 1)}
        self._tensors.show(simulation.moment, moments, simulation.code)
        self._errors.show(simulation.names(), frame["errors"], agrees)
        self._moved.show(simulation.names(), frame["moved"], math.inf)

    def _forward(self, frame: Frame, line: int) -> Rows:
        reads, writes = (names.split() for names in READS[self.simulation.arrangement][line])
        if line in LAYOUTS[self.simulation.arrangement].pluses:
            one, other, total = (Map(name, frame[f"t.{name}"]) for name in (*reads, *writes))
            return [("adds", [one, Map(other.name, other.values, "+"), Map(total.name, total.values, "=")])]
        rows = (("reads", reads), ("writes", writes))
        return [(head, [Map(name, beside(frame[f"t.{name}"])) for name in names]) for head, names in rows]

    def _back(self, frame: Frame, line: int, faults: Mapping[str, float], agrees: float) -> Rows:
        layout = LAYOUTS[self.simulation.arrangement]
        reads, writes = (names.split() for names in READS[self.simulation.arrangement][line])
        incoming = [Map(f"d.{name}", frame[f"d.{name}"]) for name in writes if name != "p"]
        if line in layout.forks:
            name = reads[0]
            right, added = faults[name] <= agrees, line not in self.simulation.wrong_lines()
            arrived = [
                Map("by skip", frame[f"route.{name} skip"]),
                Map("by branch", frame[f"route.{name} branch"], "+"),
                Map(f"d.{name}", frame[f"d.{name}"], "=" if added else "≠", right),
            ]
            check = Map(verdict(faults[name], agrees), frame[f"check.{name}"], under=2)
            return [("reads", incoming), ("adds", arrived), (CHECK, [check])]
        outgoing, checks = [], []
        for name in reads:
            judged, hand, target = self._copied(name, line) if line in layout.pluses else (name, f"d.{name}", name)
            outgoing.append(Map(f"d.{name}", frame[hand], right=faults[judged] <= agrees))
            checks.append(Map(verdict(faults[judged], agrees), frame[f"check.{target}"]))
        return [("reads", incoming), ("copies" if line in layout.pluses else "writes", outgoing), (CHECK, checks)]

    def _copied(self, name: str, line: int) -> tuple[str, str, str]:
        """At a plus sign: the gradient that is judged, where its values are stored, and the tensor whose gradient it
        should equal. Only the skip's part of the gradients of x and r exists there."""
        if name not in ("x", "r"):
            return name, f"d.{name}", name
        return f"{name} skip", f"route.{name} skip", READS[self.simulation.arrangement][line][1]

    def _on_line(self, line: int) -> None:
        """Go to a line, in the present direction; a second click switches the direction."""
        moment, back = self.simulation.moment, moment_back(line)
        self.change("moment", back if moment == line or (moment > LINES and moment != back) else line)


class Dots:
    """A dot for every gradient on a logarithmic axis; those beyond a limit are triangles, an exact zero is a cross."""

    def __init__(self, title: str, x_label: str) -> None:
        self.figure = plot(title, x_label, "", height=430, x_axis_type="log", x_range=(FLOOR / 3, 10), y_range=(-1, 23))
        self.figure.ygrid.visible = True
        named_ticks(self.figure.yaxis, {0: ""})
        named_ticks(self.figure.xaxis, {10.0**power: tick(power) for power in range(-12, 1, 4)})
        self._sources = {}
        for kind, (color, marker) in KINDS.items():
            source = self._sources[kind] = empty("x", "y")
            dots = self.figure.scatter("x", "y", source=source, marker=marker, size=9)
            paint(dots, line_color=color, fill_color=color)

    def show(self, names: list[str], values: np.ndarray, limit: float) -> None:
        """Move the data: the first name is on top."""
        places = {name: float(len(names) - 1 - at) for at, name in enumerate(names)}
        labels = {y: f"d{name}" if name.startswith("w.") else f"d.{name}" for name, y in places.items()}
        named_ticks(self.figure.yaxis, labels)
        kinds = np.where(values == 0, "none", np.where(values > limit, "wrong", "right"))
        heights = np.array(list(places.values()))
        for kind, source in self._sources.items():
            mine = kinds == kind
            source.data = {"x": np.maximum(values[mine], FLOOR), "y": heights[mine]}


def beside(values: np.ndarray) -> np.ndarray:
    """A matrix unchanged; several heads side by side, with an empty column between them."""
    if values.ndim == 2:
        return values
    return np.hstack([np.pad(value, ((0, 0), (0, HEADS_APART))) for value in values])[:, :-HEADS_APART]
