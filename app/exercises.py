"""What the reader does before reading on: predictions, quizzes, and worked examples that unfold step by step.

All of them work without JavaScript. With it, predictions and answers are kept in the reader's own browser.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from app import marked_yaml
from app.marked_yaml import Text
from app.roles import number
from app.templating import fill

if TYPE_CHECKING:
    from app.prose import Writer

LEAST_OPTIONS = 2
YES_NO = ("yes", "no")


def predict(writer: "Writer", argument: str, body: Text) -> Markup:
    """A question to commit to before the answer is shown. Raises ValueError for a form it does not know."""
    data = marked_yaml.load(body, body.line)
    kind = data.get("type") if isinstance(data, Mapping) else None
    if kind not in FORMS:
        raise ValueError(f"the type of a prediction is one of {', '.join(FORMS)}, not {kind!r}")
    listed = kind in ("choice", "rank")
    data = marked_yaml.fields(
        data, ("type", "question", "answer", "because", *(("options",) if listed else ())), ("unit",)
    )
    place = writer.take_id(argument)
    writer.exercises.append(place)
    options = _options(data) if listed else []
    return fill(
        "predict",
        id=place,
        type=kind,
        question=writer.inline(data["question"], body.line),
        options=[writer.inline(option, body.line) for option in options],
        unit=data.get("unit", ""),
        answer=json.dumps(FORMS[kind](writer, data["answer"], len(options))),
        because=writer.blocks(data["because"], body.line),
    )


def _options(data: Mapping[str, Any]) -> list[Any]:
    options = data["options"]
    if not isinstance(options, list) or len(options) < LEAST_OPTIONS:
        raise ValueError(f"options: expected a list of at least {LEAST_OPTIONS}")
    return [option if isinstance(option, str) else str(option) for option in options]


def _choice(writer: "Writer", answer: Any, count: int) -> int:
    if isinstance(answer, bool) or not isinstance(answer, int) or not 1 <= answer <= count:
        raise ValueError(f"answer: expected the number of an option, 1 to {count}")
    return answer


def _rank(writer: "Writer", answer: Any, count: int) -> list[int]:
    if not isinstance(answer, list) or sorted(answer) != list(range(1, count + 1)):
        raise ValueError(f"answer: expected the numbers 1 to {count} of the options, in their true order")
    return answer


def _number(writer: "Writer", answer: Any, count: int) -> float | None:
    found = number(writer, answer if isinstance(answer, Text) else Text(answer))
    if isinstance(found, str):
        raise ValueError(f"answer: {found!r} is no number")
    return found


def _confidence(writer: "Writer", answer: Any, count: int) -> str:
    said = ("no", "yes")[answer] if isinstance(answer, bool) else answer
    if said not in YES_NO:
        raise ValueError("answer: expected yes or no")
    return str(said)


FORMS = {"choice": _choice, "number": _number, "rank": _rank, "confidence": _confidence}
"""Type of a prediction → what its answer must be, as it is handed to the page's script."""


def quiz(writer: "Writer", argument: str, body: Text) -> Markup:
    """A question with one right option and a reason for every option."""
    data = marked_yaml.fields(marked_yaml.load(body, body.line), ("question", "options"))
    options: Sequence[Mapping[str, Any]] = [
        marked_yaml.fields(option, ("text", "because"), ("right",)) for option in data["options"]
    ]
    if len(options) < LEAST_OPTIONS or sum(option.get("right") is True for option in options) != 1:
        raise ValueError(f"a quiz has at least {LEAST_OPTIONS} options, and exactly one of them is right: true")
    place = writer.take_id(argument)
    writer.exercises.append(place)
    return fill(
        "quiz",
        id=place,
        question=writer.inline(data["question"], body.line),
        options=[
            {
                "text": writer.inline(str(option["text"]), getattr(option["text"], "line", body.line)),
                "because": writer.inline(option["because"], body.line),
                "right": option.get("right") is True,
            }
            for option in options
        ],
    )


def worked(writer: "Writer", argument: str, body: Text) -> Markup:
    """An example whose numbered steps open one after another."""
    wanted, _space, title = argument.partition(" ")
    if not title.strip():
        raise ValueError("expected an id and a title")
    before, steps, after = writer.items(body, body.line)
    return fill(
        "worked",
        id=writer.take_id(wanted),
        title=writer.inline(title, body.line - 1),
        before=before,
        steps=steps,
        after=after,
    )
