"""Rows of blocks, one of which is knocked out; as measures, the errors without one block and without several."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import Curves, plot
from app.pictures.base.looks import ENTRANTS
from app.pictures.diagrams.block_rows import BlockRows, Row
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.theories.lesion import PATIENTS, Lesion


class LesionView(View[Lesion]):
    """Rows and curves in the colors of the race."""

    def draw(self) -> list[LayoutDOM]:
        self._rows = BlockRows(
            "Press a block: error with it → without it",
            "block; filled: points wrong without it",
            [ENTRANTS[name][1] for name in PATIENTS],
            len(PATIENTS),
            self._on_block,
        )
        self._rows.figure.styles = {"grid-column": "1 / -1"}
        return [self._rows.figure]

    def measures(self) -> list[LayoutDOM]:
        one = plot(
            "Training error without one block",
            "block switched off",
            "error",
            height=330,
            x_range=(1, 2),
            y_range=(-0.02, 1.02),
        )
        several = plot(
            "Training error without several",
            "blocks switched off together",
            "error",
            height=330,
            x_range=(0, 1),
            y_range=(-0.02, 1.02),
        )
        for figure in (one, several):
            figure.yaxis.formatter = NumeralTickFormatter(format="0%")
        lines = {name: ENTRANTS[name] for name in PATIENTS}
        self._one, self._several = Curves(one, lines), Curves(several, lines)
        return [one, several]

    def update(self, frame: Frame) -> None:
        rows = [
            Row(
                ENTRANTS[name][0].replace(", ", ",\n"),
                ENTRANTS[name][1],
                float(frame.results[f"{name}_whole"]),
                frame[f"{name}_one"],
            )
            for name in PATIENTS
        ]
        self._rows.show(rows, self.simulation.block, bool(frame.results["looked_at_step"]))
        for curves, x, key in ((self._one, frame["blocks"], "one"), (self._several, frame["numbers"], "several")):
            curves.show(x, int(x[-1]), {name: read(frame, f"{name}_{key}") for name in PATIENTS})

    def _on_block(self, block: int) -> None:
        """Knock a block out of every network, or restore the one that is out."""
        self.change("block", 0 if block == self.simulation.block else block)
