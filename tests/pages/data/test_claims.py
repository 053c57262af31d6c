"""The file of claims: what it says is checked as it is read."""

from pathlib import Path

import pytest

from app.pages.data import claims
from app.pages.text.errors import BuildError

FILE = """\
front: [A-01]
topics: {{A: All}}
cards:
- id: A-01
  topic: A
  statement: It is so.
  why: {why}
  verdict: {verdict}
  correction: It is not.
  evidence: [algebra]
  test: tests/test_one.py::test_a_01
  expected:
  - {{calc: "exact.product(factor=0.7, count=20)|.1e", value: {value}}}
  check: null
  chapter: page
"""


def read(
    folder: Path, value: str = "8.0e-4", verdict: str = "does not hold", why: str = "It looks so."
) -> claims.Claims:
    file = folder / "claims.yaml"
    file.write_text(FILE.format(value=value, verdict=verdict, why=why))
    return claims.read(file)


def test_what_is_expected_is_a_value_or_a_range(tmp_path: Path) -> None:
    (one,) = read(tmp_path).cards["A-01"].expected
    assert (one.low, one.high) == (8.0e-4, 8.0e-4)
    (one,) = read(tmp_path, "[1, 2]").cards["A-01"].expected
    assert (one.low, one.high) == (1, 2)


@pytest.mark.parametrize(
    ("verdict", "judgment"),
    [
        ("holds", "holds"),
        ("holds if\n  condition: it rains.", "depends"),
        ("does not hold", "fails"),
        ("open", "open"),
    ],
)
def test_each_verdict_agrees_with_one_judgment(tmp_path: Path, verdict: str, judgment: str) -> None:
    assert read(tmp_path, verdict=verdict).cards["A-01"].judgment == judgment


@pytest.mark.parametrize("verdict", ["holds if", "holds\n  condition: it rains."])
def test_a_card_says_a_condition_exactly_if_it_holds_under_one(tmp_path: Path, verdict: str) -> None:
    with pytest.raises(BuildError, match=r"claims\.yaml:4: condition: a card says one"):
        read(tmp_path, verdict=verdict)


def test_a_verdict_of_version_1_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="'artifact' is not one of holds, holds if, does not hold, open"):
        read(tmp_path, verdict="artifact")


def test_a_card_is_short_and_a_calculation_counts_as_one_word(tmp_path: Path) -> None:
    call = "{calc}`exact.product(factor=0.7, count=20)|.1e`"
    assert read(tmp_path, why=" ".join(["It is", *[call] * 70])).cards
    with pytest.raises(BuildError, match="why and correction have 76 words, and a card has 75 at most"):
        read(tmp_path, why="word " * 73)
