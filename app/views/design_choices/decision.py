"""The decision chart; as measures, a run of a similar network: the stream along the depth and the gradients."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.block_wire import Block
from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.pictures.base.screens import NARROW, WIDE
from app.pictures.charts.choice_chart import ChoiceChart, Question
from app.views.base import View
from sims.builder.advice import KINDS, SIZES, TROUBLES
from sims.builder.advice import PLACES as NORM_PLACES
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.design_choices.decision import Decision

BLOCKS = {"shipped": 12, "deeper": 300}
"""Depth in words → number of blocks that a click on it sets"""

BLOCKS_DRAWN = {
    "x + F(norm(x))": Block(("norm", "F")),
    "x + F(LN(x))": Block(("LN", "F")),
    "x + F(LN(x)) / √additions": Block(("LN", "F", "÷ √additions")),
    "x + F(LN(x)) / additions": Block(("LN", "F", "÷ additions")),
    "x + LN(F(LN(x)))": Block(("LN", "F", "LN")),
    "LN(x + F(x))": Block(("F",), after="LN"),
    "LN(αx + F(x)), α = ⁴√(2N)": Block(("F",), skip="× α", after="LN"),
    "x + αF(x)": Block(("F", "× α")),
}
"""Formula of a recipe → what is drawn of its block"""


class DecisionView(View[Decision]):
    """A chart to click, and two pictures of a real network."""

    def draw(self) -> list[LayoutDOM]:
        questions = (
            Question("kind", "You build", KINDS),
            Question("place", "Where must the norm be?", NORM_PLACES),
            Question("blocks", "How deep?", SIZES),
            Question("trouble", "What else?", TROUBLES),
        )
        self._charts = [
            ChoiceChart(screen, "Click through to a recipe", questions, self._on_answer) for screen in (WIDE, NARROW)
        ]
        return [chart.figure for chart in self._charts]

    def measures(self) -> list[LayoutDOM]:
        stream = plot("Stream of a stand-in", "after addition (0: the stem)", "root mean square", **STEPS, **POWERS)
        gradients = plot("Gradients of its blocks", "block of the stand-in", "size of the gradient", **PLACES, **POWERS)
        self._stream = Curves(stream, {"stream": ("as trained so far", "residual", "solid")})
        self._gradients = LogBars(gradients, {"gradients": ("weights of the block", "residual")})
        return [stream, gradients]

    def _on_answer(self, question: str, answer: str) -> None:
        self.change(question, BLOCKS[answer] if question == "blocks" else answer)

    def update(self, frame: Frame) -> None:
        chosen = dict(zip(frame["questions"].tolist(), frame["answers"].tolist(), strict=True))
        formula = str(frame.results["formula"])
        for chart in self._charts:
            chart.show(chosen, str(frame.results["recipe"]), formula, BLOCKS_DRAWN[formula])
        places = np.arange(len(frame["stream"]))
        self._stream.show(places, int(places[-1]), {"stream": read(frame, "stream")})
        self._gradients.show({"gradients": frame["gradients"]})
