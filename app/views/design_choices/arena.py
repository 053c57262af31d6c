"""The race itself; as measures, the loss of all entrants, gradient health, and the cost of each."""

from typing import Any

from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, STEPS, Curves, plot
from app.pictures.base.looks import ENTRANTS
from app.pictures.base.theme import GLYPHS
from app.pictures.charts.costs import Costs
from app.pictures.charts.lanes import Lanes
from app.pictures.charts.race_track import RaceTrack, Runner
from app.views.base import View
from sims.comparisons.standings import FINISH
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number, percent
from sims.simulations.design_choices.arena import Arena

HEALTH = {"level": "healthy", "fading": "idle", "growing": "failing", "zero": "zero"}
"""Kind of gradient → color and glyph"""

NEXT_TO_NOTHING = 1e-4


class ArenaView(View[Arena]):
    """Tracks and a podium. Tracks and lanes are in the order of the entrants."""

    def draw(self) -> list[LayoutDOM]:
        self._race = RaceTrack("The race", [color for _label, color, _dash in ENTRANTS.values()], 1 - FINISH)
        for figure in self._race.figures:
            figure.styles = {"grid-column": "1 / -1"}
        return [*self._race.figures]

    def measures(self) -> list[LayoutDOM]:
        loss = plot("Loss", "training step", "cross-entropy (nats)", height=330, **STEPS, **POWERS)
        self._loss = Curves(loss, ENTRANTS)
        self._legend: Any = loss.legend[0].items
        self._gradients = Lanes(
            "Gradient: first ÷ last block", "ratio now (and at the start)", HEALTH, room=0.6, logarithmic=True
        )
        self._costs = Costs()
        return [loss, self._gradients.figure, *self._costs.figures]

    def update(self, frame: Frame) -> None:
        entrants, measure = self.simulation.entrants, self.simulation.measure
        runners = [self._runner(frame, row, name) for row, name in enumerate(entrants)]
        self._race.show(runners, frame["steps"], frame.steps, float(frame.results["guessing"]))
        for name, item in zip(ENTRANTS, self._legend, strict=True):
            item.visible = name in entrants
        bands = {name: read(frame, f"{name}_{measure}_loss") for name in entrants}
        self._loss.show(frame["steps"], frame.steps, bands)
        labels = [ENTRANTS[name][0] for name in entrants]
        ratios, starts = frame["gradients"], frame["gradients_at_start"]
        kinds = frame["health"].tolist()
        texts = [
            f"{GLYPHS[HEALTH[kind]]} {short(now)} ({short(start)})"
            for kind, now, start in zip(kinds, ratios, starts, strict=True)
        ]
        self._gradients.show(labels, ratios, texts, kinds)
        self._costs.show(frame, dict(zip(entrants, labels, strict=True)))

    def _runner(self, frame: Frame, row: int, name: str) -> Runner:
        label, color, dash = ENTRANTS[name]
        middle, low, high = read(frame, f"{name}_progress")
        place, finishers, finish = (frame[key].tolist()[row] for key in ("places", "finishers", "finish"))
        seeds = f", {finishers:.0f}/{self.simulation.seeds}" if self.simulation.seeds > 1 else ""
        reached = f"step {finish:.0f}{seeds}" if finishers else f"{percent(middle[-1])} right"
        text = f"{place}.  {reached}"
        maps = frame[f"{name}_maps"] if f"{name}_maps" in frame.quantities else None
        return Runner(label.replace(", ", ",\n"), color, dash, middle, low, high, maps, place, finish, text)


def short(ratio: float) -> str:
    """A ratio with its significant digits; of a very small one, only its power of ten."""
    return number(ratio, 1 if ratio < NEXT_TO_NOTHING else 2)
