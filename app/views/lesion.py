"""Training error without each block, and without growing numbers of them."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.figures import Curves, plot
from app.pictures.looks import ENTRANTS
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.lesion import PATIENTS, Lesion


class LesionView(View[Lesion]):
    """Two figures in the colors of the race."""

    def draw(self) -> list[LayoutDOM]:
        one = plot(
            "Training error without one block",
            "block that is switched off",
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
        for curves, x, key in ((self._one, frame["blocks"], "one"), (self._several, frame["numbers"], "several")):
            curves.show(x, int(x[-1]), {name: read(frame, f"{name}_{key}") for name in PATIENTS})
