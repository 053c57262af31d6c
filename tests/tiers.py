"""Which cases of a check every run tries, and which are left to `make test-all`."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")

everything = True
"""Whether this run tries the exhaustive tests, too"""


def drawn(count: int) -> int:
    """How many cases are drawn at random: all of them, or a sixth in a run without exhaustive tests."""
    return count if everything else count // 6


def spread(cases: Sequence[Case], apart: int) -> Sequence[Case]:
    """Cases that one test tries: all of them, or every `apart`-th in a run without exhaustive tests."""
    return cases if everything else cases[::apart]


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: the first `count` as they are, the others marked as exhaustive. A tuple is one case."""
    return [case if index < count else _exhaustive(case) for index, case in enumerate(cases)]


def _exhaustive(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.exhaustive)
