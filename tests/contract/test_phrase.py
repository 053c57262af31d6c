"""A reader's own words: what the model knows is kept, and what it does not is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.contract import parameters
from sims.contract.phrase import Phrase
from sims.contract.simulation import Simulation


class Sample(Simulation):
    words = Phrase("A plain ", " .Aabcilnp", 12, label="Words")


WORDS = Sample.param["words"]


@pytest.mark.parametrize("text", ["a", "A plain ", " a. b ", "abc" * 4])
def test_known_letters_are_taken_as_they_came(text: str) -> None:
    assert parameters.admit(WORDS, text) == (text, "")


@pytest.mark.parametrize(
    ("text", "expected", "note"),
    [
        ("a\nb<c>", "abc", "never seen “\n<>”"),
        ("été a", " a", "never seen “ét”"),
        ("abc" * 5, "abcabcabcabc", "more than 12 letters, “abc”"),
        ("", "A plain ", "not a possible value"),
        ("   ", "A plain ", "not a possible value"),
        ("éé", "A plain ", "not a possible value"),
        ("a" * 201, "A plain ", "201 characters"),
        (7, "A plain ", "not a possible value"),
        (None, "A plain ", "not a possible value"),
    ],
)
def test_what_is_not_known_is_left_out_with_a_note(text: object, expected: str, note: str) -> None:
    admitted, message = parameters.admit(WORDS, text)
    assert admitted == expected
    assert note in message


@given(st.text(max_size=300))
def test_no_text_gives_anything_else(text: str) -> None:
    admitted, _ = parameters.admit(WORDS, text)
    assert 1 <= len(admitted) <= 12
    assert admitted.strip()
    assert set(admitted) <= set(WORDS.alphabet)


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a" * 13, "é"])
def test_nothing_else_can_be_set(text: str) -> None:
    with pytest.raises(ValueError, match="words"):
        Sample(words=text)


def test_it_says_what_it_takes() -> None:
    assert parameters.allowed(WORDS) == "up to 12 letters, spaces and signs of .Aabcilnp"
