"""Two surfaces, the same two slices from above, cuts through both, and what can be said of them in numbers."""

from collections.abc import Mapping

import numpy as np
from bokeh.models import LayoutDOM
from bokeh.plotting import figure

from app.pictures.figures import POWERS, empty, fit, paint, plot, quiet_legend
from app.pictures.lanes import Lanes
from app.pictures.slices import FLOOR, SliceMap, limits
from app.pictures.surface import Surface, SurfaceData
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.landscape import Landscape

NAMES = ("plain", "residual")
KINDS = {"plain": "plain", "residual": "residual"}
WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class LandscapeView(View[Landscape]):
    """Plain on the left and dashed, residual on the right and solid."""

    def draw(self) -> list[LayoutDOM]:
        self._surface = Surface(
            "Loss over the slice",
            {name: (name, name) for name in NAMES},
            axes=("first direction a", "second direction b"),
            picked=self._picked,
        )
        self._maps = {
            name: SliceMap(f"{name.capitalize()}, from above", "first direction a", "second direction b")
            for name in NAMES
        }
        self._cuts = {along: Cut(f"Cut along {along}", f"direction {along}") for along in ("a", "b")}
        self._excess = Lanes(
            "Up and down beyond a single valley", "share of what a single valley needs", KINDS, room=0.5
        )
        self._minima = Lanes("Valleys inside the slice", "valleys", KINDS)
        self._lambda = Lanes("Largest eigenvalue of the Hessian", "nats per squared unit", KINDS, logarithmic=True)
        for wide in (self._surface.model, self._lambda.figure):
            wide.styles = dict(WHOLE_WIDTH)
        maps = [each.figure for each in self._maps.values()]
        cuts = [each for pair in self._cuts.values() for each in pair.figures]
        return [self._surface.model, *maps, *cuts, self._excess.figure, self._minima.figure, self._lambda.figure]

    def _picked(self, row: int, column: int) -> None:
        self.change_all({"cut_a": float(self._side[column]), "cut_b": float(self._side[row])})

    def update(self, frame: Frame) -> None:
        settings = self.simulation
        log = settings.scale == "log"
        self._side = side = frame["side"]
        pictures = {name: frame[f"{name}_picture"] for name in NAMES}
        both = limits(list(pictures.values()), log)
        row, column = (int(np.abs(side - at).argmin()) for at in (settings.cut_b, settings.cut_a))
        at = float(side[column]), float(side[row])
        for name in NAMES:
            bounds = both if settings.colors == "shared" else limits([pictures[name]], log)
            self._maps[name].show(pictures[name], float(side[-1]), bounds, log, at)
        slices = {name: frame[f"{name}_losses"] for name in NAMES}
        self._cuts["a"].show(side, {name: each[row] for name, each in slices.items()}, log)
        self._cuts["b"].show(side, {name: each[:, column] for name, each in slices.items()}, log)
        heights = {name: np.maximum(each, FLOOR) if log else each for name, each in slices.items()}
        self._surface.show(SurfaceData(side, side, heights, settings.describe(frame), log))
        self._surface.mark(*at)
        self._show_numbers(frame)

    def _show_numbers(self, frame: Frame) -> None:
        answers = frame.results
        texts = []
        for name in NAMES:
            excess = float(answers[f"{name}_excess"])
            said = f"{max(excess, 0):.2f}" if np.isfinite(excess) else "out of range"
            texts.append(
                said if answers[f"{name}_resolved"] == "yes" else f"{said}, not resolved at {answers['grid']}²"
            )
        values = np.array([max(float(answers[f"{name}_excess"]), 0) for name in NAMES])
        self._excess.show(NAMES, values, texts, NAMES, longest=0.1)
        valleys = [int(answers[f"{name}_minima"]) for name in NAMES]
        self._minima.show(NAMES, np.array(valleys, float), [str(each) for each in valleys], NAMES, longest=5.0)
        values = np.array([float(answers[f"{name}_lambda_max"]) for name in NAMES])
        texts = [number(each) if np.isfinite(each) else "comes last" for each in values]
        self._lambda.show(NAMES, values, texts, NAMES)


class Cut:
    """The loss along one line of the slice, for both networks, on either of two scales."""

    def __init__(self, title: str, x_label: str) -> None:
        linear = plot(title, x_label, "loss (nats)", x_range=(-1, 1), y_range=(0, 1))
        powers = plot(title, x_label, "loss (nats)", x_range=(-1, 1), **POWERS)
        self._drawn = {False: linear, True: powers}
        self._sources = {name: empty("x", "y") for name in NAMES}
        for made in self._drawn.values():
            for name, source in self._sources.items():
                dash = "dashed" if name == "plain" else "solid"
                line = made.line("x", "y", source=source, line_width=2.2, line_dash=dash, legend_label=name)
                paint(line, line_color=name)
            quiet_legend(made)

    @property
    def figures(self) -> list[figure]:
        """One of each scale; only one of them is seen at a time."""
        return list(self._drawn.values())

    def show(self, side: np.ndarray, lines: Mapping[str, np.ndarray], logarithmic: bool) -> None:
        """Move the data. What is not finite interrupts a line."""
        for kind, made in self._drawn.items():
            made.visible = kind is logarithmic
            made.x_range.update(start=float(side[0]), end=float(side[-1]))
        floor = FLOOR if logarithmic else 0.0
        for name, values in lines.items():
            seen = np.where(np.isfinite(values), np.maximum(values, floor), np.nan)
            self._sources[name].data = {"x": side, "y": seen}
        fit(self._drawn[True], [np.maximum(each, FLOOR) for each in lines.values()])
        linear = self._drawn[False].y_range
        linear.update(start=0, end=1.05 * limits(list(lines.values()), False)[1])
