"""Exercises that the reader does before reading on: predictions and quizzes.

All of them can be read without JavaScript. With it, predictions and answers are kept in the reader's own browser.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup

from app.pages.blocks.roles import stated
from app.pages.document import drawn_curve
from app.pages.document.page_context import PageContext
from app.pages.document.worksheet import Limits, Option, Question
from app.pages.text import located_yaml
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.numerals import typeset
from app.pages.text.templating import fill

LEAST_OPTIONS = 2
YES_NO = ("yes", "no")


def predict(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A question to answer before the result is shown. Raises ValueError for an unknown form.

    A question that a figure below it answers (`covered`) is asked in that figure, and leaves nothing here.
    """
    data = located_yaml.load(body, body.line)
    kind = str(data.get("type", "")) if isinstance(data, Mapping) else ""
    if kind not in FORMS:
        raise ValueError(f"the type of a prediction is one of {', '.join(FORMS)}, not {kind!r}")
    required, optional = FIELDS.get(kind, ((), ()))
    data = located_yaml.fields(data, ("type", "question", "answer", "because", *required), (*optional, "see"))
    anchor = context.take_id(argument)
    question = context.exercises[anchor] = context.inline(data["question"], body.line)
    options = _options(data) if "options" in required else []
    answer = FORMS[kind](context, data, len(options))
    exercise = Question(
        id=anchor,
        kind=kind,
        question=question,
        options=[
            Option(context.inline(option, body.line), kind == "choice" and answer == number)
            for number, option in enumerate(options, 1)
        ],
        unit=str(data.get("unit", "")),
        limits=_limits(data, answer) if kind == "number" else None,
        rows=_rows(data, len(options)),
        in_figure=kind == "number" and drawn_curve.in_figure(data),
        value=answer if kind == "number" else None,
        curve=drawn_curve.board(data, answer) if kind == "draw" else None,
        because=context.blocks(data["because"], body.line),
        truth=json.dumps(answer),
        see=_see(context, data, body.line),
    )
    context.worksheet.append(replace(exercise, answer=_in_words(exercise, answer)))
    question_form = context.predictions[anchor] = partial(fill, "directives/exercises/predict", asked=exercise)
    return context.defer(
        lambda: Markup() if anchor in context.asked_in_figures else context.complete(question_form(stage="")), body.line
    )


def _see(context: PageContext, data: Mapping[str, Any], line: int) -> Markup:
    """A link to what shows the answer, or nothing. Its address is checked like that of any other link."""
    address = data.get("see")
    return context.inline(f"[See it in its figure]({address})", getattr(address, "line", line)) if address else Markup()


def _in_words(exercise: Question, answer: Any) -> Sequence[Markup]:
    """The right answer in words, for paper; empty where the options or the curve show it."""
    if exercise.kind == "rank":
        return [exercise.options[number - 1].text for number in answer]
    if exercise.kind == "confidence":
        return [Markup(answer.capitalize())]
    if exercise.kind == "number":
        unit = Markup("{}{}").format("" if exercise.unit == "%" else " ", exercise.unit)
        return [Markup("still being computed") if answer is None else typeset(answer) + unit]
    return []


def _options(data: Mapping[str, Any]) -> list[Any]:
    options = data["options"]
    if not isinstance(options, list) or len(options) < LEAST_OPTIONS:
        raise ValueError(f"options: expected a list of at least {LEAST_OPTIONS}")
    return [option if isinstance(option, str) else str(option) for option in options]


def _choice(context: PageContext, data: Mapping[str, Any], count: int) -> int:
    answer = data["answer"]
    if isinstance(answer, bool) or not isinstance(answer, int) or not 1 <= answer <= count:
        raise ValueError(f"answer: expected the number of an option, 1 to {count}")
    return answer


def _rank(context: PageContext, data: Mapping[str, Any], count: int) -> list[int]:
    answer = data["answer"]
    if not isinstance(answer, list) or sorted(answer) != list(range(1, count + 1)):
        raise ValueError(f"answer: expected the numbers 1 to {count} of the options, in their true order")
    if answer == sorted(answer):
        raise ValueError("the options stand in their true order already; list them in another one")
    return answer


def _rows(data: Mapping[str, Any], count: int) -> list[str]:
    """The row of each option; of a choice, some options may have none."""
    rows = ["" if row is None else str(row) for row in data.get("rows", [])]
    named = list(filter(None, rows)) if data["type"] == "choice" else rows
    if rows and (len(rows) != count or not named or len(set(named)) != len(named)):
        raise ValueError(f"rows: expected {count} rows of the figure, one for each option")
    return rows


def _limits(data: Mapping[str, Any], answer: float | None) -> Limits | None:
    """What a number can be at all, so that nobody is told that an impossible answer is wrong."""
    if "between" not in data:
        if "axes" in data:
            raise ValueError("axes: a number on an axis also needs between, its lowest and its highest value")
        return None
    try:
        low, high = map(float, data["between"])
    except (TypeError, ValueError):
        low = high = 0.0
    if not low < high:
        raise ValueError("between: expected the lowest and the highest number, as in [0, 10]")
    whole = bool(data.get("whole"))
    if answer is not None and (not low <= answer <= high or (whole and answer != round(answer))):
        raise ValueError(f"between: the answer, {answer:g}, is not one of the numbers that are allowed")
    return Limits(low, high, whole)


def _number(context: PageContext, data: Mapping[str, Any], count: int) -> float | None:
    return measured(context, data["answer"])


def _draw(context: PageContext, data: Mapping[str, Any], count: int) -> list[float | None]:
    answers, length = data["answer"], len(drawn_curve.x_axis(data["across"]).values)
    if not isinstance(answers, list) or len(answers) != length:
        raise ValueError(f"answer: expected {length} numbers, one for each of the values across")
    return [measured(context, answer) for answer in answers]


def measured(context: PageContext, answer: Any) -> float | None:
    """A true answer as a number; None while it is being computed. Raises ValueError if it is not a number."""
    value = stated(context, answer if isinstance(answer, LocatedStr) else LocatedStr(answer))
    if isinstance(value, str) or (value is not None and not math.isfinite(value)):
        raise ValueError(f"answer: {value!r} is no number")
    return value


def _confidence(context: PageContext, data: Mapping[str, Any], count: int) -> str:
    answer = data["answer"]
    word = ("no", "yes")[answer] if isinstance(answer, bool) else answer
    if word not in YES_NO:
        raise ValueError("answer: expected yes or no")
    return str(word)


FORMS: Mapping[str, Callable[[PageContext, Mapping[str, Any], int], Any]] = {
    "choice": _choice,
    "number": _number,
    "rank": _rank,
    "confidence": _confidence,
    "draw": _draw,
}
"""Type of a prediction → the check of its answer, which is passed to the page's script."""

FIELDS = {
    "choice": (("options",), ("rows",)),
    "rank": (("options",), ("rows",)),
    "number": ((), ("unit", "between", "whole", "axes")),
    "draw": (("across", "up"), ("network", "axes")),
}
"""Type of a prediction → its required and its optional fields."""


def quiz(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A question with one right option and an explanation for every option.

    Raises ValueError if there are too few options, or not exactly one right one.
    """
    data = located_yaml.fields(located_yaml.load(body, body.line), ("question", "options"), ("see",))
    options: Sequence[Mapping[str, Any]] = [
        located_yaml.fields(option, ("text", "because"), ("right",)) for option in data["options"]
    ]
    if len(options) < LEAST_OPTIONS or sum(option.get("right") is True for option in options) != 1:
        raise ValueError(f"a quiz has at least {LEAST_OPTIONS} options, and exactly one of them is right: true")
    anchor = context.take_id(argument)
    question = context.exercises[anchor] = context.inline(data["question"], body.line)
    exercise = Question(
        id=anchor,
        kind="quiz",
        question=question,
        options=[
            Option(
                context.inline(str(option["text"]), getattr(option["text"], "line", body.line)),
                option.get("right") is True,
                context.inline(option["because"], body.line),
            )
            for option in options
        ],
        see=_see(context, data, body.line),
    )
    context.worksheet.append(exercise)
    return fill("directives/exercises/quiz", asked=exercise)
