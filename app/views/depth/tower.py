"""The network with its switches, untrained; as measures, signals over the blocks."""

from bokeh.models import LayoutDOM

from app.pictures.charts.lit_network import Light, LitNetwork
from app.pictures.charts.signal_lines import SIGNALS, SignalLines
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.number_list import written
from sims.simulations.depth.tower import BLOCKS, Tower


class TowerView(View[Tower]):
    """A click on an arc takes its plus sign out, or puts it back."""

    def draw(self) -> list[LayoutDOM]:
        self._network = LitNetwork("Press an arc to remove its plus sign", max(BLOCKS), self._switch)
        return [*self._network.figures]

    def measures(self) -> list[LayoutDOM]:
        self._signals = SignalLines()
        return [*self._signals.figures]

    def update(self, frame: Frame) -> None:
        self._network.show(
            Light.of(frame["stream"], frame["likeness"], frame["gradient"], frame.results, norm=self.simulation.norm),
            self.simulation.without,
        )
        self._signals.show({(name, "now"): frame[name] for name in SIGNALS})

    def _switch(self, block: int) -> None:
        self.change("cut", written({block}.symmetric_difference(self.simulation.without)))
