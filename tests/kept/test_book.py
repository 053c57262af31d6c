"""The book of kept numbers: a line a number, true to the last bit, and nothing that other code has made."""

import json
from pathlib import Path

import numpy as np
import pytest

from sims.contract.calculation import Number, calculation
from sims.kept import book
from sims.kept.book import Machine, NumberStore, spelled


@calculation(long=True)
def slow(of: float, norm: str = "none") -> Number:
    """Never computed here."""
    pytest.fail("a kept number was computed")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(book, "code_of", lambda _calculation, _arguments: "today")
    return tmp_path / "numbers.json"


def test_a_call_is_spelled_one_way() -> None:
    assert spelled(slow, {"of": 0.1, "norm": "batch"}) == spelled(slow, {"norm": "batch", "of": 0.1})
    assert spelled(slow, {"of": 0.1, "norm": "batch"}) == "test_book.slow(norm='batch', of=0.1)"


@pytest.mark.parametrize("value", [0.1 + 0.2, 1e-320, 7, "dense; ReZero", float("inf"), np.float32(0.1), np.int64(3)])
def test_a_value_comes_back_to_the_last_bit(value: Number, path: Path) -> None:
    NumberStore(path).keep({spelled(slow, {"of": 1}): (value, "today")})
    actual = NumberStore(path).value(slow, {"of": 1})
    assert actual == value
    assert type(actual) in (float, int, str)


def test_what_other_code_made_is_not_a_value(path: Path) -> None:
    numbers = NumberStore(path)
    assert numbers.value(slow, {"of": 1}) is None
    numbers.keep({spelled(slow, {"of": 1}): (0.5, "yesterday")})
    assert numbers.value(slow, {"of": 1}) is None
    numbers.keep({spelled(slow, {"of": 1}): (0.5, "today")})
    assert numbers.value(slow, {"of": 1}) == 0.5


def test_a_number_is_a_line_in_order(path: Path) -> None:
    NumberStore(path).keep({spelled(slow, {"of": of}): (of, "today") for of in (3, 1, 2)})
    lines = [line for line in path.read_text().splitlines() if line.startswith('"test_book')]
    assert [json.loads("{" + line.rstrip(",") + "}").popitem()[1]["value"] for line in lines] == [1, 2, 3]


def test_a_book_that_another_process_wrote_is_read_anew(path: Path) -> None:
    numbers = NumberStore(path)
    NumberStore(path).keep({spelled(slow, {"of": 1}): (0.5, "today")})
    numbers.refresh()
    assert numbers.value(slow, {"of": 1}) == 0.5
    numbers.drop(set(numbers.entries))
    assert NumberStore(path).entries == {}


def test_every_machine_is_listed_once_while_it_has_numbers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = NumberStore(path)
    numbers.keep({spelled(slow, {"of": of}): (1, "today") for of in (1, 2)})
    other = Machine("another", 8, "numpy 1")
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: other))
    numbers.keep({spelled(slow, {"of": 2}): (1, "today")})
    assert [entry.on for entry in numbers.entries.values()] == ["1", "2"]
    numbers.keep({spelled(slow, {"of": 1}): (1, "today")})
    assert NumberStore(path).machines == {"2": other}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"machines": {}}', '{"machines": {}, "numbers": {"a.b()": 3}}'])
def test_a_damaged_book_is_refused_by_its_author_and_empty_for_a_server(
    text: str, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_text(text)
    with pytest.raises(ValueError, match=r"numbers\.json is damaged"):
        NumberStore(path)
    assert NumberStore(path, lenient=True).entries == {}
    assert "count as missing" in caplog.text
