"""Two surfaces; as measures, the same slices from above, cuts through both, and numbers as bars."""

import math
from collections.abc import Mapping

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot, quiet_legend
from app.pictures.charts.lanes import Lanes
from app.pictures.maps.slices import FLOOR, SliceMap, limits, round_numbers
from app.pictures.maps.surface import Surface, SurfaceData
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, percent, tick
from sims.simulations.loss_surfaces.landscape import Landscape

NAMES = ("plain", "residual")
KINDS = {"plain": "plain", "residual": "residual"}
WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class LandscapeView(View[Landscape]):
    """Plain on the left and dashed, residual on the right and solid."""

    def draw(self) -> list[LayoutDOM]:
        self._surface = Surface(
            "Loss over the slice",
            {name: (name, name) for name in NAMES},
            axes=("direction a", "direction b"),
            picked=self._picked,
        )
        self._surface.model.styles = dict(WHOLE_WIDTH)
        return [self._surface.model]

    def measures(self) -> list[LayoutDOM]:
        self._maps = {
            name: SliceMap(f"{name.capitalize()}, from above", "direction a", "direction b") for name in NAMES
        }
        self._cuts = {along: Cut(f"Cut along {along}", f"direction {along}") for along in ("a", "b")}
        self._minima = Lanes("Valleys inside the slice", "valleys", KINDS)
        self._lambda = Lanes(
            "Largest eigenvalue of the Hessian", "nats per squared unit", KINDS, logarithmic=True, sizes=True
        )
        self._lambda.figure.styles = dict(WHOLE_WIDTH)
        maps = [slice_map.figure for slice_map in self._maps.values()]
        cuts = [cut.figure for cut in self._cuts.values()]
        return [*maps, *cuts, self._minima.figure, self._lambda.figure]

    def _picked(self, row: int, column: int) -> None:
        self.change_all({"cut_a": float(self._side[column]), "cut_b": float(self._side[row])})

    def update(self, frame: Frame) -> None:
        settings = self.simulation
        log = settings.scale == "log"
        self._side = side = frame["side"]
        pictures = {name: frame[f"{name}_picture"] for name in NAMES}
        apart = settings.colors == "own"
        both = limits(list(pictures.values()), log)
        row, column = (int(np.abs(side - at).argmin()) for at in (settings.cut_b, settings.cut_a))
        at = float(side[column]), float(side[row])
        for name in NAMES:
            bounds = limits([pictures[name]], log) if apart else both
            self._maps[name].show(pictures[name], float(side[-1]), bounds, log, at)
        slices = {name: frame[f"{name}_losses"] for name in NAMES}
        self._cuts["a"].show(side, {name: losses[row] for name, losses in slices.items()}, log)
        self._cuts["b"].show(side, {name: losses[:, column] for name, losses in slices.items()}, log)
        heights = {name: np.maximum(losses, FLOOR) if log else losses for name, losses in slices.items()}
        self._surface.show(
            SurfaceData(
                *(side, side, heights, settings.describe(frame), log),
                apart=apart,
                notes={name: self._note(frame, name) for name in NAMES},
                words=self._words(frame),
            )
        )
        self._surface.mark(*at)
        self._show_numbers(frame)

    def _words(self, frame: Frame) -> str:
        """What is being computed, in words."""
        size, finest = f"{frame.results['grid']} × {frame.results['grid']}", self.simulation.finest
        match frame.results["phase"]:
            case "start":
                return f"not begun: a coarse look, {size} points"
            case "training":
                return f"training, step {number(frame.step)} of {number(self.simulation.training_steps)}"
            case "slice":
                return f"computing the slice: {size} points so far, of {finest} × {finest}"
            case "curvature":
                return f"{size} points; computing how it bends at the center"
        return f"{size} points computed" + ("; each on its own scale" if self.simulation.colors == "own" else "")

    def _note(self, frame: Frame, name: str) -> str:
        """The note on a network or, while it is being computed, on its slice."""
        answers = frame.results
        if answers["phase"] in ("start", "training"):
            return f"training error {percent(float(answers[f'{name}_error']))}"
        height, valleys = float(answers[f"{name}_range"]), int(answers[f"{name}_minima"])
        if not np.isfinite(height):
            return "overflows"
        suffix = "" if answers[f"{name}_resolved"] == "yes" else " on this grid"
        return f"{valleys} valley{'' if valleys == 1 else 's'}{suffix}, {number(height, 2)} nats from low to high"

    def _show_numbers(self, frame: Frame) -> None:
        answers = frame.results
        valleys = [int(answers[f"{name}_minima"]) for name in NAMES]
        self._minima.show(NAMES, np.array(valleys, float), [str(valley) for valley in valleys], NAMES, longest=5.0)
        values = np.array([float(answers[f"{name}_lambda_max"]) for name in NAMES])
        texts = [number(value) if np.isfinite(value) else "at the end of the run" for value in values]
        self._lambda.show(NAMES, values, texts, NAMES)


class Cut:
    """The loss along one line of the slice, for both networks; the axis shows the loss, or its power of ten."""

    def __init__(self, title: str, x_label: str) -> None:
        self.figure = plot(title, x_label, "loss (nats)", x_range=(-1, 1), y_range=(0, 1))
        named_ticks(self.figure.yaxis, {})
        self._sources = {name: empty("x", "y") for name in NAMES}
        for name, source in self._sources.items():
            dash = "dashed" if name == "plain" else "solid"
            line = self.figure.line("x", "y", source=source, line_width=2.2, line_dash=dash, legend_label=name)
            paint(line, line_color=name)
        quiet_legend(self.figure)

    def show(self, side: np.ndarray, lines: Mapping[str, np.ndarray], logarithmic: bool) -> None:
        """Move the data. Values that are not finite interrupt a line."""
        self.figure.x_range.update(start=float(side[0]), end=float(side[-1]))
        low, high = limits(list(lines.values()), logarithmic)
        for name, values in lines.items():
            drawable = np.where(np.isfinite(values), np.maximum(values, FLOOR if logarithmic else 0.0), np.nan)
            self._sources[name].data = {"x": side, "y": np.log10(drawable) if logarithmic else drawable}
        if logarithmic:
            foot, head = math.floor(math.log10(low)), math.ceil(math.log10(high))
            named_ticks(self.figure.yaxis, {float(power): tick(power) for power in range(foot, head + 1)})
            self.figure.y_range.update(start=foot, end=head)
        else:
            named_ticks(self.figure.yaxis, round_numbers(0, high))
            self.figure.y_range.update(start=0, end=1.05 * high)
