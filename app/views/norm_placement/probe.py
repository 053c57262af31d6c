"""The two stacks with the gradient's path through them, the ratio for each loss, and the gradient block by block."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import PLACES, POWERS, LogBars, plot
from app.pictures.charts.lanes import Lanes
from app.pictures.diagrams.block_pair import BlockPair, Stack
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.norm_placement.probe import NAMES, WORDS, Probe

BORDER = 118
"""Pixels right of the axis for the number at the end of the longest bar"""


class ProbeView(View[Probe]):
    """The drawing above a lane for the ratio under each loss; as a measure, bars for both stacks at every place."""

    def draw(self) -> list[LayoutDOM]:
        self._pair = BlockPair("The gradient's path back to the input")
        kinds = {"chosen": "accent", "other": "idle", "rounding": "zero"}
        self._ratio = Lanes(
            "Ratio at the input", "Pre-LN ÷ Post-LN", kinds, room=0.0, logarithmic=True, border=BORDER, above=True
        )
        self._ratio.figure.styles = {"grid-column": "1 / -1"}
        self._ratio.figure.ygrid.visible = False
        return [self._pair.figure, self._ratio.figure]

    def measures(self) -> list[LayoutDOM]:
        stream = plot("Gradient of the chosen loss", "place, from input to output", "size of ∂L/∂h", **PLACES, **POWERS)
        self._stream = LogBars(stream, {"pre": ("Pre-LN", "residual"), "post": ("Post-LN", "fourth")})
        return [stream]

    def update(self, frame: Frame) -> None:
        simulation = self.simulation
        self._pair.show(
            [
                Stack(
                    name,
                    NAMES[name],
                    frame[f"{name}_stream"].tolist(),
                    frame[f"{name}_skip"].tolist(),
                    final_norm=name == "pre" and simulation.final_norm,
                    rounding=name in simulation.constant,
                )
                for name in NAMES
            ]
        )
        self._stream.show({name: frame[f"{name}_stream"] for name in NAMES})
        names, ratios = frame["loss"].tolist(), frame["ratio"]
        texts, kinds = [], []
        for name, ratio in zip(names, ratios.tolist(), strict=True):
            rounding = name == WORDS["sum"]
            text = number(ratio, 2 if rounding else 3) if np.isfinite(ratio) else "none"
            texts.append(f"{text}, rounding" if rounding else text)
            kinds.append("rounding" if rounding else "chosen" if name == WORDS[simulation.loss] else "other")
        marked = [f"▸ {name}" if name == WORDS[simulation.loss] else name for name in names]
        self._ratio.show(marked, ratios, texts, kinds)
