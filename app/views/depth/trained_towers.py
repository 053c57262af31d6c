"""Small towers before and after training; as measures, one tower's stream, gradients and weight gradients by
block."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, STEPS, Curves, empty, paint, plot, ticks_at
from app.pictures.diagrams.tower_row import SmallTower, TowerRow
from app.views.base import View
from sims.comparisons.trained_recipes import RECIPES
from sims.contract.bands import ENDINGS
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.depth.trained_towers import TrainedTowers

NAMES = list(RECIPES)

SHOWN = ("one", "root", "rezero", "pre", "post")
"""The recipes whose towers are drawn; another one that is chosen takes the first place"""

PLOTS = {
    "stream": ("Size of the stream", "relative to the foot"),
    "gradient": ("Gradient of the stream", "relative to the top"),
    "first": ("Gradients of first matrices", "norm"),
    "last": ("Gradients of last matrices", "norm"),
}
TIMES = {"start": ("before training", "fifth", "dotted"), "now": ("now", "residual", "solid")}

NEAR = (0.01, 1000)
"""Numbers in this range have two digits."""

LOSSES = (0.01, 10.0)
"""Ends of the axis of losses, in nats. Losses that blow up are beyond it, and their label says how far."""


class TrainedTowersView(View[TrainedTowers]):
    """A row of towers, one of which is chosen by a click; lines of the chosen one."""

    def draw(self) -> list[LayoutDOM]:
        self._row = TowerRow("Stream ← size → gradient (dotted: before)", len(SHOWN), self._choose)
        self._row.figure.styles = {"grid-column": "1 / -1"}
        return [self._row.figure]

    def measures(self) -> list[LayoutDOM]:
        self._curves, figures = {}, []
        for name, (title, unit) in PLOTS.items():
            figure = plot(title, "block of the chosen recipe", unit, height=300, **STEPS, **POWERS)
            self._curves[name] = Curves(figure, TIMES)
            figures.append(figure)
        self._loss = plot(
            "Training loss of all",
            "training step",
            "nats",
            height=300,
            x_range=(0, 1),
            y_range=LOSSES,
            y_axis_type="log",
        )
        ticks_at(self._loss.xaxis, [])
        self._others, self._chosen = empty("x", "y"), empty("x", "y")
        others = self._loss.multi_line("x", "y", source=self._others, line_width=1.4, line_dash="dashed")
        chosen = self._loss.line("x", "y", source=self._chosen, line_width=3)
        paint(others, line_color="idle")
        paint(chosen, line_color="residual")
        self._ends = EndLabels(self._loss, dict.fromkeys(NAMES, "ink"), 150)
        return [self._loss, *figures]

    def update(self, frame: Frame) -> None:
        chosen = self.simulation.recipe
        recipes = self._recipes()
        self._row.show([_tower(frame, NAMES.index(recipe)) for recipe in recipes], recipes.index(chosen))
        place = NAMES.index(chosen)
        for name, curves in self._curves.items():
            values = {
                time: [_positive(frame[f"{name}_{time}{ending}"][place]) for ending in ENDINGS.values()]
                for time in TIMES
            }
            count = len(values["now"][0])
            blocks = self.simulation.depth
            curves.show(np.arange(count) + (1 if count == blocks else 0), blocks, values)
        steps, losses = frame["steps"], [_positive(loss) for loss in frame["loss"]]
        others = [loss for at, loss in enumerate(losses) if at != place]
        self._others.data = {"x": [steps] * len(others), "y": others}
        self._chosen.data = {"x": steps, "y": losses[place]}
        self._loss.x_range.update(start=0, end=frame.steps)
        ticks_at(self._loss.xaxis, [0, frame.steps // 2, frame.steps])
        ends = {
            name: (float(loss[-1]), f"{RECIPES[name].label} {number(float(loss[-1]), 2)}")
            for name, loss in zip(NAMES, losses, strict=True)
            if np.isfinite(loss[-1])
        }
        self._ends.show(steps[-1], ends)

    def _recipes(self) -> list[str]:
        """The recipes of the towers from left to right."""
        chosen = self.simulation.recipe
        return list(SHOWN) if chosen in SHOWN else [chosen, *SHOWN[1:]]

    def _choose(self, at: int) -> None:
        self.change("recipe", self._recipes()[at])


def _tower(frame: Frame, recipe: int) -> SmallTower:
    before, now = (
        {half: frame[f"{half}_{when}"][recipe] for half in ("stream", "gradient")} for when in ("start", "now")
    )
    top, foot, loss = float(now["stream"][-1]), float(now["gradient"][0]), float(frame["loss"][recipe, -1])
    texts = [_short(value) for value in (top, foot, loss)]
    return SmallTower(list(RECIPES.values())[recipe].label, before, now, f"↑ {texts[0]}", f"↓ {texts[1]}", texts[2])


def _short(value: float) -> str:
    """One digit for numbers with many places, two near 1."""
    if not np.isfinite(value):
        return "–"
    return number(value, 2 if NEAR[0] <= value < NEAR[1] else 1)


def _positive(values: np.ndarray) -> np.ndarray:
    """The values that a logarithmic axis can show."""
    drawable: np.ndarray = np.where(np.isfinite(values) & (values > 0), values, np.nan)
    return drawable
