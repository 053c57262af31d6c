"""Gradients behind every block, and the ratio for each loss."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.figures import PLACES, POWERS, LogBars, plot
from app.pictures.lanes import Lanes
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.probe import Probe


class ProbeView(View[Probe]):
    """Bars for both stacks at every place, and a lane for the ratio under each loss."""

    def draw(self) -> list[LayoutDOM]:
        stream = plot("Gradient of the chosen loss", "place, from input to output", "norm of ∂L/∂h", **PLACES, **POWERS)
        self._stream = LogBars(stream, {"pre": ("Pre-LN", "residual"), "post": ("Post-LN", "fourth")})
        kinds = {"chosen": "accent", "other": "idle"}
        self._ratio = Lanes("Pre-LN ÷ Post-LN at the input", "ratio", kinds, room=0.42, logarithmic=True)
        self._ratio.figure.ygrid.visible = False
        return [stream, self._ratio.figure]

    def update(self, frame: Frame) -> None:
        self._stream.show({name: frame[f"{name}_stream"] for name in ("pre", "post")})
        names, ratios = frame["loss"].tolist(), frame["ratio"]
        constant = bool(self.simulation.constant) or self.simulation.loss != "sum"
        texts = []
        for name, ratio in zip(names, ratios.tolist(), strict=True):
            mark = " (truth: ÷ 0)" if name.startswith("sum") and constant else ""
            texts.append(f"{number(ratio)}{mark}" if np.isfinite(ratio) else f"÷ 0{mark}")
        chosen = self.simulation.param.loss.objects.index(self.simulation.loss)
        kinds = ["chosen" if place == chosen else "other" for place in range(len(names))]
        self._ratio.show(names, ratios, texts, kinds)
