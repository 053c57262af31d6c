"""A reproduction counts what came out the same, and names what did not."""

from pathlib import Path

from sims.contract.calculation import calculation
from sims.kept.book import Machine
from sims.kept.reproductions import Difference, compared, read, write

HERE, THERE = Machine("one", 16, "numpy"), Machine("other", 8, "numpy")


@calculation(long=True)
def strict() -> float:
    """A number that rounding must not move."""
    return 1.0


@calculation(long=True, tolerance=0.1)
def loose() -> float:
    """A number that may move."""
    return 1.0


def test_same_near_and_different_are_distinguished() -> None:
    outcome = compared(
        "2026-01-02",
        HERE,
        {
            "a": (strict, 0.5, 0.5),
            "b": (strict, 0.5, 0.51),
            "c": (loose, 0.5, 0.54),
            "d": (loose, 0.5, 0.6),
            "e": (strict, "dense", "plain"),
        },
    )
    assert (outcome.count, outcome.exact, outcome.within) == (5, 1, 1)
    assert outcome.differ == (Difference("b", 0.5, 0.51), Difference("d", 0.5, 0.6), Difference("e", "dense", "plain"))


def test_the_newest_is_first_and_replaces_that_of_its_machine(tmp_path: Path) -> None:
    path = tmp_path / "reproductions.json"
    assert read(path) == []
    first, second = compared("2026-01-01", HERE, {}), compared("2026-01-02", THERE, {"a": (strict, 1, 2)})
    write(path, first)
    write(path, second)
    assert read(path) == [second, first]
    third = compared("2026-01-03", HERE, {})
    write(path, third)
    assert read(path) == [third, second]


def test_a_damaged_file_tells_nothing(tmp_path: Path) -> None:
    path = tmp_path / "reproductions.json"
    for text in ("", "{", "[3]", '[{"date": "2026-01-01"}]'):
        path.write_text(text)
        assert read(path) == []
