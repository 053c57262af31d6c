"""YAML whose texts know their line."""

import pytest

from app.pages.text.errors import Mistake
from app.pages.text.located_yaml import fields, load

EXAMPLE = """type: choice
question: Which?
options:
- one
- text: two
  because: |
    A longer
    text.
"""


def test_texts_know_where_they_begin() -> None:
    data = load(EXAMPLE, line=10)
    assert data["question"].line == 11
    assert data["options"][0].line == 13
    assert data["options"][1]["because"].line == 16
    assert data["options"][1]["because"] == "A longer\ntext.\n"


def test_other_values_keep_their_type() -> None:
    assert load("a: 1\nb: [1, 2]\nc: true\nd: 0.5\ne: null") == {"a": 1, "b": [1, 2], "c": True, "d": 0.5, "e": None}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [("a: 1\nb: [\n", "not YAML", 6), ("a: 1\na: 2", "twice", 6), ("a: {calc}`x`", "quotation marks", 5)],
)
def test_mistakes_know_their_line(text: str, message: str, line: int) -> None:
    with pytest.raises(Mistake, match=message) as caught:
        load(text, line=5)
    assert caught.value.line == line


def test_objects_cannot_be_made() -> None:
    with pytest.raises(Mistake):
        load("!!python/object/apply:os.getcwd []")


@pytest.mark.parametrize(
    ("data", "message"), [({}, "a is missing"), ({"a": 1, "z": 1}, "unknown: z"), ([1], "expected a")]
)
def test_fields(data: object, message: str) -> None:
    assert fields({"a": 1, "b": 2}, ["a"], ["b"]) == {"a": 1, "b": 2}
    with pytest.raises(ValueError, match=message):
        fields(data, ["a"], ["b"])
