"""The loss with right and with wrong gradients, and how well the wrong ones point in the true direction."""

from bokeh.models import LayoutDOM

from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import paint, plot
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.gradients.silent_bugs import KINDS, SilentBugs, guessing

ROOM = 94
COLORS = {"right": "healthy", "wrong": "failing"}
LOOKS = {"right": ("healthy", "solid"), "wrong": ("failing", "dashed")}


class SilentBugsView(View[SilentBugs]):
    """Two curves labeled at their ends."""

    def draw(self) -> list[LayoutDOM]:
        self._loss = plot(
            "Loss, right gradients and wrong ones",
            "training step",
            "loss (nats)",
            height=320,
            x_range=(0, 1),
            y_range=(0, 2.4),
        )
        self._loss.styles = {"grid-column": "1 / -1"}
        self._losses = Bands(self._loss, LOOKS)
        guess = self._loss.line([0, 10_000], [guessing()] * 2, line_width=1.4, line_dash="dotted")
        self._ends = EndLabels(self._loss, COLORS | {"guess": "soft"}, ROOM)
        paint(guess, line_color="soft")
        return [self._loss]

    def measures(self) -> list[LayoutDOM]:
        self._cosine = plot(
            "Does it point where the true gradient does?",
            "training step",
            "cosine",
            height=300,
            x_range=(0, 1),
            y_range=(-0.5, 1.05),
        )
        self._cosines = Bands(self._cosine, LOOKS)
        self._cosine_ends = EndLabels(self._cosine, COLORS, ROOM)
        return [self._cosine]

    def update(self, frame: Frame) -> None:
        steps = frame["steps"]
        for figure in (self._loss, self._cosine):
            figure.x_range.update(end=frame.steps)
        for name, bands, ends in (("loss", self._losses, self._ends), ("cosine", self._cosines, self._cosine_ends)):
            curves = {kind: read(frame, f"{kind}_{name}") for kind in KINDS}
            bands.show(steps, curves)
            words = {kind: (float(median[-1]), KINDS[kind]) for kind, (median, _low, _high) in curves.items()}
            if name == "loss":
                words["guess"] = float(guessing()), "guessing"
            ends.show(float(frame.steps), words)
