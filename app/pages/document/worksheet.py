"""The questions and figures of a page, in order, for paper: predictions, quizzes, and stills of figures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.pages.document.drawn_curve import CurveBoard

Complete = Callable[[Markup], Markup]

NOTHING = Markup()


@dataclass(frozen=True)
class Option:
    """An option of a question, whether it is right, and why. A prediction has one reason for all options, none here."""

    text: Markup
    right: bool = False
    because: Markup = NOTHING


@dataclass(frozen=True)
class Limits:
    """The lowest and the highest answer that is possible, and whether only whole numbers are."""

    low: float
    high: float
    whole: bool


@dataclass(frozen=True)
class Question:
    """A question of a page: `kind` is a type of prediction, or quiz. `answer` is the right answer in words; for a
    choice or a quiz it is in the options, for a drawn curve in the board. `truth` is the right answer as JSON, in the
    form that the page's script compares with; empty for a quiz. `in_figure`: the answer is placed on the horizontal
    axis of the figure that asks for it. `see`: a link to the state of a figure that shows the answer."""

    id: str
    kind: str
    question: Markup
    options: Sequence[Option] = ()
    unit: str = ""
    limits: Limits | None = None
    in_figure: bool = False
    rows: Sequence[str] = ()
    """Rows of the figure, or of the table below the question, one for each option; empty for an option that has none"""
    answer: Sequence[Markup] = ()
    value: float | None = None
    """The right answer to a question for a number; None while it is not computed, and for other kinds"""
    curve: CurveBoard | None = None
    because: Markup = NOTHING
    truth: str = ""
    see: Markup = NOTHING

    def completed(self, complete: Complete) -> "Question":
        """The same with every deferred placeholder filled."""
        return replace(
            self,
            question=complete(self.question),
            because=complete(self.because),
            see=complete(self.see),
            answer=[complete(line) for line in self.answer],
            options=[
                replace(option, text=complete(option.text), because=complete(option.because)) for option in self.options
            ],
        )


@dataclass(frozen=True)
class FigureStill:
    """A figure of a page: its image, and the prediction that it answers, if it is hidden until that is answered."""

    id: str
    title: str
    image: str
    covered: str

    kind = "figure"

    def completed(self, complete: Complete) -> "FigureStill":
        """The same: a figure has no deferred placeholders."""
        del complete
        return self


WorksheetItem = Question | FigureStill


def numbered(pieces: Sequence[WorksheetItem]) -> Mapping[str, int]:
    """Question → its number on paper."""
    questions = [piece for piece in pieces if isinstance(piece, Question)]
    return {question.id: number for number, question in enumerate(questions, 1)}
