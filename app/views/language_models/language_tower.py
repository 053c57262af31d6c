"""The untrained GPT with its switches; as measures, signals over the branches."""

from bokeh.models import LayoutDOM

from app.pictures.charts.lit_network import Boxes, Light, LitNetwork
from app.pictures.charts.signal_lines import SignalLines
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.number_list import written
from sims.simulations.language_models.language_tower import MOST, LanguageTower

SIGNALS = {
    "stream": ("Size of the stream", "relative to the embedding"),
    "gradient": ("Gradient of the stream", "relative to the last branch"),
    "likeness": ("Likeness of positions", "mean cosine"),
}


class LanguageTowerView(View[LanguageTower]):
    """A click on an arc takes its plus sign out, or puts it back."""

    def draw(self) -> list[LayoutDOM]:
        title = "Attention (A) and feed-forward (F): press an arc"
        self._network = LitNetwork(title, MOST, self._switch, boxes=Boxes("Branches", "AF"))
        return [*self._network.figures]

    def measures(self) -> list[LayoutDOM]:
        self._signals = SignalLines(signals=SIGNALS, across="branch")
        return [*self._signals.figures]

    def update(self, frame: Frame) -> None:
        self._network.show(
            Light.of(
                frame["stream"], frame["likeness"], frame["gradient"], frame.results, compared="positions", norm="pre"
            ),
            self.simulation.without,
        )
        self._signals.show({(name, "now"): frame[name] for name in SIGNALS})

    def _switch(self, branch: int) -> None:
        self.change("cut", written({branch}.symmetric_difference(self.simulation.without)))
