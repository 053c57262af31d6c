"""The decision chart; as measures, a run of a similar network: the stream along the depth and the gradients."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, plot
from app.pictures.charts.choice_chart import ChoiceChart, Question
from app.views.base import View
from sims.builder.advice import FEW, KINDS, SOME, TROUBLES
from sims.builder.advice import PLACES as NORM_PLACES
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.design_choices.decision import Decision

SIZES = {"few": f"up to {FEW}", "some": f"up to {SOME}", "many": "more"}
BLOCKS = {"few": 4, "some": 24, "many": 128}
"""Number of additions in words → number of blocks that a click on it sets."""


class DecisionView(View[Decision]):
    """A chart to click, and two pictures of a real network."""

    def draw(self) -> list[LayoutDOM]:
        questions = (
            Question("kind", "You build", KINDS),
            Question("blocks", "How many residual additions?", SIZES),
            Question("place", "Where must the norm be?", NORM_PLACES),
            Question("trouble", "What else?", TROUBLES),
        )
        self._chart = ChoiceChart("Click through to a recipe", questions, self._on_answer)
        self._chart.figure.styles = {"grid-column": "1 / -1"}
        return [self._chart.figure]

    def measures(self) -> list[LayoutDOM]:
        stream = plot("Stream of a stand-in", "after addition (0: the stem)", "root mean square", **STEPS, **POWERS)
        gradients = plot("Gradients of its blocks", "block of the stand-in", "norm of the gradient", **PLACES, **POWERS)
        self._stream = Curves(stream, {"stream": ("as trained so far", "residual", "solid")})
        self._gradients = LogBars(gradients, {"gradients": ("weights of the block", "residual")})
        return [stream, gradients]

    def _on_answer(self, question: str, answer: str) -> None:
        self.change(question, BLOCKS[answer] if question == "blocks" else answer)

    def update(self, frame: Frame) -> None:
        chosen = dict(zip(frame["questions"].tolist(), frame["answers"].tolist(), strict=True))
        self._chart.show(chosen, str(frame.results["recipe"]), str(frame.results["formula"]))
        places = np.arange(len(frame["stream"]))
        self._stream.show(places, int(places[-1]), {"stream": read(frame, "stream")})
        self._gradients.show({"gradients": frame["gradients"]})
