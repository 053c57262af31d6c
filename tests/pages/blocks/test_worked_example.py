"""Worked examples whose numbers a reader edits: what may be declared, and what the server answers to anybody."""

import math
import re

import pytest

from app.pages.document.editable_numbers import Example, declared
from app.pages.text.errors import BuildError
from sims.numbers.worked_examples import worked
from tests.pages.markdown.test_prose import Elements, compiled, html

HEAD = (
    "---\n"
    "layers: {value: 3, from: 1, to: 20, step: 1, label: layers}\n"
    "first: {value: -0.5, from: -2, to: 2, step: 0.1, label: first number, unit: nats}\n"
    "---\n"
)
STEPS = (
    "Before {input}`layers`.\n\n1. One $x$ of {input}`first` is {calc}`worked.copied(first=first, second=1.0)`.\n"
    "2. Two: {calc}`worked.batch_norm_gain(layers=layers)|.2f`, always {calc}`worked.batch_norm_gain(layers=3)|.2f`.\n"
)


def block(head: str = HEAD, steps: str = STEPS) -> str:
    return f":::{{worked}} w-one Adding\n{head}{steps}:::\n"


@pytest.fixture(scope="module")
def example() -> Example:
    return compiled(block()).examples["w-one"]


def test_inputs_and_what_follows_them_have_their_places() -> None:
    markup = html(block())
    elements = Elements(markup)
    (layers,) = elements.all("span", class_="input", **{"data-input": "layers"})
    assert layers == {
        "class": "input",
        "data-input": "layers",
        "data-label": "layers",
        "data-value": "3",
        "data-low": "1",
        "data-high": "20",
        "data-step": "1",
    }
    assert ">−0.5</span>&nbsp;nats" in markup
    assert len([span for span in elements.all("span", class_="number") if "data-calc" in span]) == 2
    assert 'title="computed: worked.batch_norm_gain(layers=layers)"' in markup
    (section,) = elements.all("section", id="w-one")
    assert section.keys() >= {"data-editable"}
    assert re.fullmatch(r"shelf/[0-9a-f]{16}", section["data-numbers"] or "")


def test_an_example_without_inputs_has_nothing_to_edit() -> None:
    page = compiled(block("", "1. One.\n"))
    assert page.examples == {}
    assert "data-editable" not in page.html


def numbers_in_order(page_html: str) -> list[str]:
    matches = re.findall(r'data-calc="(\d+)"[^>]*>(.*?)</span>', page_html)
    return [text for _index, text in sorted(matches, key=lambda match_: int(match_[0]))]


def test_the_first_answer_is_what_the_page_shows(example: Example) -> None:
    assert example.answer({})["numbers"] == numbers_in_order(html(block()))


def test_new_inputs_give_new_numbers(example: Example) -> None:
    answer = example.answer({"layers": "5", "first": "1.5"})
    assert answer == {
        "values": {"layers": "5", "first": "1.5"},
        "notes": [],
        "numbers": ["[1.5, 1]", f"{worked.batch_norm_gain(layers=5):.2f}"],
    }


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("99", "20"),
        ("-4", "1"),
        ("1e999", "3"),
        ("-inf", "3"),
        ("NaN", "3"),
        ("", "3"),
        ("3; import os", "3"),
        ("<img src=x>", "3"),
        ("2.4", "2"),
        ("9" * 5000, "3"),
        ("\ufffd\x00", "3"),
        ("١٢", "12"),
    ],
)
def test_anything_else_is_admitted_with_a_note(example: Example, text: str, used: str) -> None:
    answer = example.answer({"layers": text})
    assert answer["values"] == {"layers": used, "first": "-0.5"}
    assert len(answer["notes"]) == (text != "١٢")
    assert all(len(note) < 200 for note in answer["notes"])


def test_names_that_are_no_inputs_are_ignored_with_one_note(example: Example) -> None:
    answer = example.answer({f"x{index}": "1" for index in range(500)} | {"__class__": "1", "layers": "4"})
    assert answer["values"]["layers"] == "4"
    assert len(answer["notes"]) == 1


def test_a_calculation_that_fails_says_so_in_its_place(monkeypatch: pytest.MonkeyPatch, example: Example) -> None:
    def fails(**arguments: object) -> float:
        raise ZeroDivisionError

    monkeypatch.setattr(worked.batch_norm_gain, "function", fails)
    assert example.answer({})["numbers"][1] == "not defined"
    monkeypatch.setattr(worked.batch_norm_gain, "function", lambda **arguments: math.inf)
    assert example.answer({})["numbers"][1] == "infinity"


def test_whole_numbers_stay_whole_and_others_are_real(example: Example) -> None:
    assert [type(value) for value in example.values().values()] == [int, float]


ONE = "x: {value: 1, from: 0, to: 2, step: 1, label: x}"
USE = "1. {input}`x` {calc}`worked.batch_norm_gain(layers=x)`\n"


@pytest.mark.parametrize(
    ("head", "steps", "message", "line"),
    [
        (ONE, "1. {calc}`worked.batch_norm_gain(layers=x)`\n", "the input 'x' is not shown", 7),
        (ONE, "1. {input}`x`\n", "no calculation of the example uses the input 'x'", 7),
        (ONE, USE + "2. {input}`y`\n", "'y' is no input of this example; it declares x", 12),
        (ONE, USE + "2. {calc}`worked.batch_norm_gain(layers=y)`\n", "'y' is neither a literal nor a declared", 12),
        (ONE, USE + "2. {calc}`degradation.training_error(depth=x, skip=True)`\n", "is a long calculation", 12),
        (ONE, USE + "2. {calc}`worked.batch_norm_gain(wrong=x)`\n", "wrong", 12),
        (ONE, USE + "2. {term}`nothing`\n", "no term", 12),
        ("x: {value: 3, from: 0, to: 2, step: 1, label: x}", USE, "value lies between from and to", 7),
        ("x: {value: 1, from: 1, to: 1, step: 1, label: x}", USE, "value lies between from and to", 7),
        ("x: {value: 1, from: 0, to: 2, step: 0, label: x}", USE, "step is above zero", 7),
        ("x: {value: .inf, from: 0, to: .inf, step: 1, label: x}", USE, "value lies between", 7),
        ("x: {value: many, from: 0, to: 2, step: 1, label: x}", USE, "are numbers", 7),
        ("x: {value: 1, from: 0, to: 2, step: 1}", USE, "x: label is missing", 7),
        ("x: {value: 1, from: 0, to: 2, step: 1, label: x, color: red}", USE, "x: unknown: color", 7),
        ("x: 3", USE, "x: expected value", 7),
        ("page: {value: 1, from: 0, to: 2, step: 1, label: x}", USE, "cannot be an input", 7),
        ("X-1: {value: 1, from: 0, to: 2, step: 1, label: x}", USE, "cannot be an input", 7),
        ("- x", USE, "expected inputs", 7),
        ("x: [", USE, "not YAML", 9),
    ],
)
def test_a_mistake_is_found_with_its_line(head: str, steps: str, message: str, line: int) -> None:
    with pytest.raises(BuildError, match=re.escape(message)) as caught:
        compiled(block(f"---\n{head}\n---\n", steps))
    assert caught.value.line == line


@pytest.mark.parametrize("words", ["{input}`x`", "{calc}`worked.batch_norm_gain(layers=x)`"])
def test_inputs_belong_to_their_example_alone(words: str) -> None:
    with pytest.raises(BuildError, match="input"):
        compiled(f"{block()}\n{words}\n")


def test_a_declaration_is_read_with_its_unit() -> None:
    declaration = declared("x: {value: 1, from: 0, to: 2, step: 1, label: x, unit: s}", 1)
    assert declaration.units == {"x": "s"}
    assert declaration.inputs["x"].bounds == (0, 2)
