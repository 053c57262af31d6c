"""What a room takes as an answer, read off the pages themselves."""

import json
import re
from typing import Any

import pytest

from app.server.classroom.room_answers import Form, forms
from tests.site import CHAPTERS, html_of

PREDICTION = re.compile(r'<section class="predict exercise" id="([\w-]+)" data-type="(\w+)" data-answer="([^"]*)"')


@pytest.mark.parametrize("slug", CHAPTERS)
def test_every_prediction_of_a_page_has_its_form_and_takes_its_own_truth(slug: str) -> None:
    html = html_of(slug)
    by_name = forms(html)
    stated = PREDICTION.findall(html)
    assert [(name, form.kind) for name, form in by_name.items()] == [(name, kind) for name, kind, _answer in stated]
    for name, kind, answer in stated:
        truth = json.loads(answer.replace("&#34;", '"'))
        if kind == "confidence":
            truth = {"said": truth, "sure": 75}
        if truth is not None and (kind != "draw" or None not in truth):
            by_name[name].validated(truth)


@pytest.mark.parametrize(
    ("kind", "count", "answer", "stored"),
    [
        ("choice", 3, 3, 3),
        ("rank", 3, [2, 3, 1], [2, 3, 1]),
        ("number", 0, 1.23456789e-5, 1.23457e-5),
        ("number", 0, -4, -4.0),
        ("confidence", 2, {"said": "no", "sure": 55}, {"said": "no", "sure": 55}),
        ("draw", 2, [0.1234567, 1e9], [0.123457, 1e9]),
    ],
)
def test_an_answer_is_kept_in_short(kind: str, count: int, answer: Any, stored: Any) -> None:
    assert Form(kind, count).validated(answer) == stored


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("choice", 0),
        ("choice", 4),
        ("choice", True),
        ("choice", "1"),
        ("choice", 1.0),
        ("choice", None),
        ("rank", [1, 2]),
        ("rank", [1, 2, 2]),
        ("rank", [1, 2, 3, 4]),
        ("rank", "123"),
        ("rank", [[1], [2], [3]]),
        ("number", float("nan")),
        ("number", float("inf")),
        ("number", 10**400),
        ("number", "1"),
        ("number", True),
        ("confidence", {"said": "yes", "sure": 101}),
        ("confidence", {"said": "perhaps", "sure": 60}),
        ("confidence", {"said": "yes", "sure": 60, "name": "x"}),
        ("confidence", {"said": ["yes"], "sure": 60}),
        ("confidence", "yes"),
        ("draw", [1, 2]),
        ("draw", [1, 2, float("inf")]),
        ("draw", [1, 2, "<b>"]),
        ("draw", {"0": 1, "1": 2, "2": 3}),
    ],
)
def test_anything_else_is_refused(kind: str, answer: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        Form(kind, 3).validated(answer)
