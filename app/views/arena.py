"""Loss curves of all entrants, the order at the finish, gradient health, and what each entrant costs."""

from typing import Any

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.costs import Costs
from app.pictures.figures import POWERS, STEPS, Curves, plot
from app.pictures.lanes import Lanes
from app.pictures.looks import ENTRANTS
from app.pictures.theme import GLYPHS
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.arena import Arena

HEALTH = {"level": "healthy", "fading": "idle", "growing": "failing", "zero": "zero"}
"""Kind of gradient → color and glyph"""


class ArenaView(View[Arena]):
    """Six figures; lanes stand in the order of the entrants, only those of the finish in the order of places."""

    def draw(self) -> list[LayoutDOM]:
        loss = plot("Loss", "training step", "cross-entropy (nats)", height=330, **STEPS, **POWERS)
        self._loss = Curves(loss, ENTRANTS)
        self._legend: Any = loss.legend[0].items
        self._finish = Lanes("Across the finish line", "training step", {"bar": "accent"}, room=0.5)
        self._gradients = Lanes("Gradient: first block over last", "ratio, now", HEALTH, room=0.5, logarithmic=True)
        self._costs = Costs()
        return [loss, self._finish.figure, self._gradients.figure, *self._costs.figures]

    def update(self, frame: Frame) -> None:
        entrants, measure = self.simulation.entrants, self.simulation.measure
        for name, item in zip(ENTRANTS, self._legend, strict=True):
            item.visible = name in entrants
        bands = {name: read(frame, f"{name}_{measure}_loss") for name in entrants}
        self._loss.show(frame["steps"], frame.steps, bands)
        labels = [ENTRANTS[name][0] for name in entrants]
        self._show_finish(frame, labels)
        ratios, starts = frame["gradients"], frame["gradients_at_start"]
        kinds = frame["health"].tolist()
        texts = [
            f"{GLYPHS[HEALTH[kind]]} {number(now, 2)} (start {number(start, 2)})"
            for kind, now, start in zip(kinds, ratios, starts, strict=True)
        ]
        self._gradients.show(labels, ratios, texts, kinds)
        self._costs.show(frame, dict(zip(entrants, labels, strict=True)))

    def _show_finish(self, frame: Frame, labels: list[str]) -> None:
        seeds, texts = self.simulation.seeds, []
        columns = (frame[name].tolist() for name in ("places", "finishers", "finish", "finish_low", "finish_high"))
        for place, finishers, middle, low, high in zip(*columns, strict=True):
            reached = f"step {middle:.0f} ({low:.0f}–{high:.0f})" if finishers > 1 else f"step {middle:.0f}"
            across = f"{place}.  {finishers} of {seeds}, {reached}"
            texts.append(across if finishers else f"0 of {seeds}")
        order = np.lexsort((frame["finish"], frame["places"])).tolist()
        self._finish.show(
            [labels[at] for at in order],
            frame["finish"][order],
            [texts[at] for at in order],
            ["bar"] * len(order),
            frame.steps,
        )
