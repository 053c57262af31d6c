"""The block as a stream with two branches, and next to it the values that the present line reads and writes."""

import math
from collections.abc import Mapping

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot
from app.pictures.base.timed import playable
from app.pictures.diagrams.plan_diagram import PlanDiagram
from app.pictures.diagrams.plan_layout import FORKS, LINES, PLUSES, READS, moment_back, words
from app.pictures.maps.line_tensors import CHECK, LineCode, LineTensors, Map, Rows, verdict
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import tick
from sims.simulations.gradients.backward import AGREES, MOMENTS, Backward

Shades = Mapping[str, np.ndarray]
"""Name of a quantity → its numbers as colors from −1 to 1"""

PLAY = "Play: forward line by line, and back"

DARKEST = 0.98
"""Share of the numbers of a pass that are lighter than the darkest color"""

HEADS_APART = 1
FLOOR = 1e-12
"""Position on a logarithmic axis of an error that is exactly 0, and of a gradient that did not change"""

KINDS = {"right": ("healthy", "circle"), "wrong": ("failing", "triangle"), "none": ("zero", "x")}
"""Kind of a dot → its color and its marker"""


class BackwardView(View[Backward]):
    """All pictures contain all moments; the page plays them."""

    def draw(self) -> list[LayoutDOM]:
        self._plan = PlanDiagram("One stream, two branches", self._on_line)
        self._code, self._tensors = LineCode("The line at work"), LineTensors("Its tensors, and the check of gradients")
        timed = [*self._plan.timed, *self._code.timed, *self._tensors.timed]
        # Both kinds of screens show the code, so the page plays all figures with it.
        self._now = playable(
            self._code.figure, "moment", MOMENTS, timed, self._plan.arriving, self._plan.travelers, PLAY
        )
        return [*self._plan.figures, self._code.figure, self._tensors.figure]

    def measures(self) -> list[LayoutDOM]:
        self._errors = Dots("Error of every gradient by hand", "relative error against finite differences")
        self._moved = Dots("What an edited weight moves", "gradient's change, relative to its size")
        return [self._errors.figure, self._moved.figure]

    def update(self, frame: Frame) -> None:
        simulation = self.simulation
        arrangement, moment = simulation.arrangement, simulation.moment
        agrees, faults, bugs = AGREES[simulation.precision], simulation.faults(frame), simulation.wrong_lines()
        names = [line.name for line in simulation.lines()]
        self._now.data = {"moment": [moment]}
        shades = self._shades(frame)
        tensors = {name[2:]: values for name, values in shades.items() if name.startswith("t.")}
        gradients = {name.split(".")[1]: shades[name] for name in shades if name.startswith(("d.", "route."))}
        self._plan.show(arrangement, names, moment, tensors, gradients, faults, agrees, bugs)
        lines = {line: (line, False) for line in range(1, LINES + 1)}
        lines |= {moment_back(line): (line, True) for line in range(1, LINES + 1)}
        said = {
            time: (
                f"{'back' if back else 'forward'}, line {line}: {names[line - 1]}",
                words(arrangement, names[line - 1], line, back, line in bugs),
                simulation.code(time),
            )
            for time, (line, back) in lines.items()
        }
        self._code.show(moment, said)
        moments = {
            time: self._back(shades, line, faults, agrees) if back else self._forward(shades, line)
            for time, (line, back) in lines.items()
        }
        self._tensors.show(moment, moments)
        self._errors.show(simulation.names(), frame["errors"], agrees)
        self._moved.show(simulation.names(), frame["moved"], math.inf)

    def _shades(self, frame: Frame) -> dict[str, np.ndarray]:
        """All tensors and gradients as colors from −1 to 1. Those of a pass share one scale, on which the largest few
        numbers have the same color."""
        shades: dict[str, np.ndarray] = {}
        for kinds in (("t.",), ("d.", "route.", "check.")):
            found = {
                name: beside(frame[name])
                for name in frame.quantities
                if name.startswith(kinds) and not name.startswith("check.w.")
            }
            scale = np.quantile(np.concatenate([np.abs(values).ravel() for values in found.values()]), DARKEST)
            shades |= {name: np.clip(values / (scale or 1.0), -1, 1) for name, values in found.items()}
        return shades

    def _forward(self, shades: Shades, line: int) -> Rows:
        reads, writes = (names.split() for names in READS[self.simulation.arrangement][line])
        if line in self._pluses():
            one, other, total = (Map(name, shades[f"t.{name}"]) for name in (*reads, *writes))
            return [("adds", [one, Map(other.name, other.values, "+"), Map(total.name, total.values, "=")])]
        rows = (("reads", reads), ("writes", writes))
        return [(head, [Map(name, shades[f"t.{name}"]) for name in names]) for head, names in rows]

    def _back(self, shades: Shades, line: int, faults: Mapping[str, float], agrees: float) -> Rows:
        reads = READS[self.simulation.arrangement][line][0].split()
        if line in FORKS:
            name = reads[0]
            right, added = faults[name] <= agrees, line not in self.simulation.wrong_lines()
            arrived = [
                Map("by skip", shades[f"route.{name} skip"]),
                Map("by branch", shades[f"route.{name} branch"], "+"),
                Map(f"d.{name}", shades[f"d.{name}"], "=" if added else "≠", right),
            ]
            check = Map(verdict(faults[name], agrees), shades[f"check.{name}"], under=2)
            return [("adds", arrived), (CHECK, [check])]
        outgoing, checks = [], []
        for name in reads:
            judged, hand, target = self._copied(name, line) if line in self._pluses() else (name, f"d.{name}", name)
            outgoing.append(Map(f"d.{name}", shades[hand], right=faults[judged] <= agrees))
            checks.append(Map(verdict(faults[judged], agrees), shades[f"check.{target}"]))
        return [("copies" if line in self._pluses() else "writes", outgoing), (CHECK, checks)]

    def _pluses(self) -> tuple[int, ...]:
        """The lines that are plus signs."""
        return PLUSES[self.simulation.arrangement]

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
