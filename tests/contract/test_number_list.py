"""Sets of numbers as texts: what can be read is kept in one form, and the rest is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.contract import parameters
from sims.contract.number_list import NumberList, parse, written
from sims.contract.simulation import Simulation


class Sample(Simulation):
    numbers = NumberList("2", 28, label="Numbers")


NUMBERS = Sample.param["numbers"]


@given(st.sets(st.integers(1, 28)))
def test_every_set_has_one_text_that_reads_back(numbers: set[int]) -> None:
    text = written(numbers)
    assert parse(text) == numbers
    assert parameters.admit(NUMBERS, text) == (text, "")
    assert getattr(Sample(numbers=text), "numbers") == text  # noqa: B009 - a parameter, which mypy takes for its class


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3,1,2", "1-3"), (" 7 - 9 , 8 ", "7-9"), ("5–6", "5-6"), (",", ""), ("", ""), ("4,4", "4")],
)
def test_loose_texts_are_put_in_order(text: str, expected: str) -> None:
    assert parameters.admit(NUMBERS, text) == (expected, "")


@pytest.mark.parametrize(
    ("text", "expected", "note"),
    [
        ("0-3", "1-3", "“0-3” is not within 1 to 28"),
        ("27-9999", "27-28", "“27-9999” is not within"),
        ("3, x", "3", "“x” is not"),
        ("3, 9-7", "3", "“9-7” is not"),
        ("99", "2", "not a possible value"),
        ("1e3", "2", "not a possible value"),
        ("1" * 401, "2", "401 characters"),
        (3, "2", "not a possible value"),
        (None, "2", "not a possible value"),
    ],
)
def test_what_cannot_be_used_is_named(text: object, expected: str, note: str) -> None:
    admitted, message = parameters.admit(NUMBERS, text)
    assert admitted == expected
    assert note in message


def test_what_is_refused_without_a_default_leaves_nothing() -> None:
    _admitted, message = parameters.admit(NumberList("", 28, label="Numbers"), "abc")
    assert message == "Numbers: “abc” is not a possible value; it is left empty."


@given(st.text(max_size=60))
def test_any_text_gives_a_value_that_the_parameter_takes(text: str) -> None:
    admitted, _note = parameters.admit(NUMBERS, text)
    assert Sample(numbers=admitted).settings() == {"numbers": admitted}
    assert parse(admitted) <= set(range(1, 29))


def test_python_gets_an_error_for_invalid_text() -> None:
    with pytest.raises(ValueError, match="numbers"):
        Sample(numbers="7, x")
