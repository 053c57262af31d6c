"""The sweep as a table of races: rows are entrants, columns their learning rates, and the last column the final."""

from bokeh.models import LayoutDOM

from app.pictures.charts.cells import Cells
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.design_choices.sweep import STEPS, Sweep

KINDS = {"all": ("healthy", 0.32), "some": ("idle", 0.2), "none": ("failing", 0.2), "open": ("idle", 0.08)}
SIGNS = {"all": "●", "some": "◐", "none": "○"}
OPEN = "open", "–", 0.0
"""A cell in which nobody has finished, and everybody still may"""

FINAL = "final"


class SweepView(View[Sweep]):
    """One figure; a frame marks the learning rate that its row has chosen."""

    def draw(self) -> list[LayoutDOM]:
        self._cells = Cells("Seeds that finish, and at which step", "learning rate; final: place, seeds", KINDS)
        self._cells.figure.styles = {"grid-column": "1 / -1"}
        return [self._cells.figure]

    def update(self, frame: Frame) -> None:
        names = [str(name).replace(", ", ",\n") for name in frame["entrants"]]
        rates = [number(rate) for rate in frame["rates"].tolist()]
        cells, framed = {}, []
        for row, name in enumerate(names):
            for column, rate in enumerate(rates):
                result = frame["finishers"][row, column], frame["finish"][row, column]
                cells[name, rate] = self._cell(*result, over=frame.step >= STEPS)
            own, place = int(frame["own"][row]), int(frame["places"][row])
            if own >= 0:
                framed.append((name, rates[own]))
            cells[name, FINAL] = OPEN
            if place:
                result = frame["final_finishers"][row], frame["final_finish"][row]
                kind, text, share = self._cell(*result, over=frame.finished)
                cells[name, FINAL] = (kind, f"{place}. {text.replace(' ', '')}", share) if kind != OPEN[0] else OPEN
        self._cells.show(names, [*rates, FINAL], cells, framed)

    def _cell(self, finishers: float, step: float, *, over: bool) -> tuple[str, str, float]:
        """Kind, text and filled share of a lane, which is as long as a race: it is full where no seed is across."""
        count, seeds = int(finishers), self.simulation.seeds
        if not count and not over:
            return OPEN
        kind = "all" if count == seeds else "some" if count else "none"
        share = step / STEPS if count else 1.0
        return kind, f"{SIGNS[kind]} {count}\n{step:.0f}" if count else f"{SIGNS[kind]} 0", float(share)
