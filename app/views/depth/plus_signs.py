"""The network with its switches; as measures, signals over the blocks before training and now, and curves."""

from bokeh.models import LayoutDOM, NumeralTickFormatter

from app.pictures.base.figures import POWERS, STEPS, Curves, plot
from app.pictures.charts.lit_network import Bar, Light, LitNetwork
from app.pictures.charts.signal_lines import SIGNALS, SignalLines
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.number_list import written
from sims.contract.wording import percent
from sims.simulations.depth.plus_signs import BLOCKS, PlusSigns

TIMES = ("at start", "now")


class PlusSignsView(View[PlusSigns]):
    """A click on an arc takes its plus sign out, or puts it back."""

    def draw(self) -> list[LayoutDOM]:
        self._network = LitNetwork("Press an arc to remove its plus sign", max(BLOCKS), self._switch, bar=True)
        return [*self._network.figures]

    def measures(self) -> list[LayoutDOM]:
        self._signals = SignalLines(TIMES)
        error = plot("Error", "training step", "error", y_range=(0, 1), **STEPS)
        error.yaxis.formatter = NumeralTickFormatter(format="0%")
        loss = plot("Training loss", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        self._error = Curves(
            error, {"train": ("training", "accent", "solid"), "test": ("held-out", "fourth", "dashed")}
        )
        self._loss = Curves(loss, {"train": ("median and range of the seeds", "accent", "solid")})
        return [*self._signals.figures, error, loss]

    def update(self, frame: Frame) -> None:
        simulation = self.simulation
        error, lowest, highest = (float(values[-1]) for values in read(frame, "train_error"))
        trained = f"Training error at step {frame.step}: {percent(error)}"
        guessing = simulation.guessing
        self._network.show(
            Light.of(
                frame["stream at start"],
                frame["likeness at start"],
                frame["gradient at start"],
                frame.results,
                bar=Bar(error, lowest, highest, guessing, f"{trained}; guessing: {percent(guessing)}"),
            ),
            simulation.without,
        )
        self._signals.show({(name, time): frame[f"{name} {time}"] for name in SIGNALS for time in TIMES})
        bands = {kind: read(frame, f"{kind}_error") for kind in ("train", "test")}
        self._error.show(frame["steps"], frame.steps, bands)
        self._loss.show(frame["steps"], frame.steps, {"train": read(frame, "train_loss")})

    def _switch(self, block: int) -> None:
        self.change("cut", written({block}.symmetric_difference(self.simulation.without)))
