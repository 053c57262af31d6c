"""Validates the answers sent to a room: only what the page's own prediction could have sent is accepted."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Any

PREDICTION = re.compile(r'<section class="predict exercise" id="([\w-]+)" data-type="(\w+)".*?</fieldset>', re.DOTALL)
OPTION = re.compile(r'type="radio"|data-option=')
AXES = re.compile(r'data-axes="([^"]*)"')

DIGITS = 6
"""Significant digits to which a room rounds numbers"""


@dataclass(frozen=True)
class Form:
    """The form of a prediction: its type, and how many options or points it has."""

    kind: str
    count: int

    def validated(self, answer: Any) -> Any:
        """The answer as the room stores it. Raises ValueError if it is not a valid answer to this prediction."""
        return FORMS[self.kind](answer, self.count)


@lru_cache(maxsize=64)
def forms(html: str) -> Mapping[str, Form]:
    """The predictions of a page, by id."""
    predictions = {}
    for match in PREDICTION.finditer(html):
        axes = AXES.search(match[0])
        values = json.loads(unescape(axes[1]))["across"]["values"] if axes else OPTION.findall(match[0])
        predictions[match[1]] = Form(match[2], len(values))
    return predictions


def whole(answer: Any, low: int, high: int) -> int:
    """The answer, if it is a whole number from `low` to `high`; otherwise raises ValueError."""
    if isinstance(answer, bool) or not isinstance(answer, int) or not low <= answer <= high:
        raise ValueError(f"expected a whole number from {low} to {high}")
    return answer


def _finite(answer: Any) -> float:
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        raise ValueError("expected a number")
    try:
        number = float(f"{float(answer):.{DIGITS}g}")
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("expected a finite number")
    return number


def _list(answer: Any, count: int) -> list[Any]:
    if not isinstance(answer, list) or len(answer) != count:
        raise ValueError(f"expected a list of {count}")
    return answer


def _choice(answer: Any, count: int) -> int:
    return whole(answer, 1, count)


def _rank(answer: Any, count: int) -> list[int]:
    order = [whole(item, 1, count) for item in _list(answer, count)]
    if len(set(order)) < count:
        raise ValueError("expected every option once")
    return order


def _number(answer: Any, _count: int) -> float:
    return _finite(answer)


def _confidence(answer: Any, _count: int) -> dict[str, Any]:
    if not isinstance(answer, dict) or answer.keys() != {"said", "sure"} or answer["said"] not in ("yes", "no"):
        raise ValueError("expected yes or no, and how sure")
    return {"said": answer["said"], "sure": whole(answer["sure"], 50, 100)}


def _draw(answer: Any, count: int) -> list[float]:
    return [_finite(item) for item in _list(answer, count)]


FORMS: Mapping[str, Callable[[Any, int], Any]] = {
    "choice": _choice,
    "rank": _rank,
    "number": _number,
    "confidence": _confidence,
    "draw": _draw,
}
"""Type of a prediction → the function that validates its answer and returns it as the room stores it"""
