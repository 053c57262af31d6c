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
  verdict: wrong
  correction: It is not.
  evidence: [algebra]
  test: tests/test_one.py::test_a_01
  expected:
  - {{calc: "exact.product(factor=0.7, count=20)|.1e", value: {value}}}
  check: null
  chapter: page
contradictions:
- question: Is it?
  one: It is.
  other: It is not.
  right: The other one.
  cards: [{card}]
checked: []
"""


def read(folder: Path, value: str = "8.0e-4", card: str = "A-01") -> claims.Claims:
    file = folder / "claims.yaml"
    file.write_text(FILE.format(value=value, card=card))
    return claims.read(file)


def test_what_is_expected_is_a_value_or_a_range(tmp_path: Path) -> None:
    (one,) = read(tmp_path).cards["A-01"].expected
    assert (one.low, one.high) == (8.0e-4, 8.0e-4)
    (one,) = read(tmp_path, "[1, 2]").cards["A-01"].expected
    assert (one.low, one.high) == (1, 2)


def test_accounts_that_contradict_each_other_name_cards_that_exist(tmp_path: Path) -> None:
    assert read(tmp_path).contradictions[0].cards == ("A-01",)
    with pytest.raises(BuildError, match=r"claims\.yaml:16: cards: there is no B-01"):
        read(tmp_path, card="B-01")
