"""Which cases of a check every run tries, and which are left to `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest

everything = True
"""Whether this run tries the exhaustive tests, too"""


def drawn(count: int) -> int:
    """How many cases are drawn at random: all of them, or a third in a run without exhaustive tests."""
    return count if everything else count // 3


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: the first `count` as they are, the others marked as exhaustive. A tuple is one case."""
    return [case if index < count else _exhaustive(case) for index, case in enumerate(cases)]


def _exhaustive(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.exhaustive)
