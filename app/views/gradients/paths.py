"""All paths as lines that fall one row per branch, with the gains above them; as measures, the totals."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.charts.lanes import Lanes
from app.pictures.diagrams.path_diagram import PathDiagram
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.gradients.paths import HIGHEST, LOWEST, Paths

WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}


class PathsView(View[Paths]):
    """Gains to drag, paths, and a bar for each total."""

    def draw(self) -> list[LayoutDOM]:
        self._diagram = PathDiagram(LOWEST, HIGHEST, self._dragged)
        figures: list[LayoutDOM] = [self._diagram.gains, self._diagram.paths]
        for figure in figures:
            figure.styles = dict(WHOLE_WIDTH)
        return figures

    def measures(self) -> list[LayoutDOM]:
        self._totals = Lanes(
            "Sizes of the totals",
            "size (logarithmic)",
            {"residual": "residual", "idle": "idle", "plain": "plain"},
            logarithmic=True,
            sizes=True,
            room=0.34,
        )
        self._totals.figure.styles = dict(WHOLE_WIDTH)
        return [self._totals.figure]

    def update(self, frame: Frame) -> None:
        total, plain = float(frame.results["total"]), float(frame.results["plain"])
        count, share = int(frame.results["paths"]), frame.results["direct_share"]
        direct = f"direct {number(100 * share)}%" if isinstance(share, float) and 0 < share <= 1 else "direct 1"
        self._diagram.show(frame, [f"{number(count)} paths", f"sum {number(total, 4)}", direct])
        names = ["sum of all paths", "direct path alone", "without skips"]
        values = np.array([total, 1.0, plain])
        self._totals.show(names, np.abs(values), [number(value, 4) for value in values], ["residual", "idle", "plain"])

    def _dragged(self, block: int, gain: float) -> None:
        """Set a gain from the picture. The first drag gives the branches separate gains."""
        simulation = self.simulation
        if f"gain_{block + 1}" not in simulation.param:
            return
        values: dict[str, object] = {}
        if simulation.alike:
            values = {f"gain_{index + 1}": float(own) for index, own in enumerate(simulation.gains())}
            values["alike"] = False
        self.change_all(values | {f"gain_{block + 1}": gain})
