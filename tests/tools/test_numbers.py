"""Every long number of the pages is kept, made by today's code, and used."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from sims.kept.book import NumberStore, code_of
from sims.numbers.call import parse
from tests.site import site
from tests.tiers import first
from tools import numbers
from tools.numbers import check, renew, used

CALLS = [f"failures.training_error(depth={depth}, initialization='he')" for depth in (20, 56, 100)]

CHEAP = (
    *("by_hand", "causality", "famous_stack", "jacobian_walk", "ln_jacobian", "prenorm_stack"),
    *("probe", "saved", "saved_tensors", "worked_norms", "init", "failures", "highway"),
)
"""Modules with a long number that takes seconds at most; the last one needs kernels that take long to compile."""


@cache
def used_calls() -> list[str]:
    return used(site())


def test_no_number_is_missing_stale_or_orphaned() -> None:
    wrong = check(used_calls(), site().library.numbers)
    assert not wrong, "run `make numbers`:\n" + "\n".join(wrong)


@pytest.mark.parametrize("module", first(len(CHEAP) - 1, CHEAP))
def test_a_spread_of_kept_numbers_is_what_comes_out_today(module: str) -> None:
    call = next(call for call in used_calls() if call.startswith(f"{module}."))
    calculation, arguments = parse(call)
    assert calculation.agree(site().library.numbers.entries[call].value, calculation(**arguments))


def test_the_check_tells_missing_stale_and_orphaned_apart(tmp_path: Path) -> None:
    book, code = NumberStore(tmp_path / "numbers.json"), code_of(parse(CALLS[0])[0])
    book.keep({CALLS[0]: (0.1, code), CALLS[1]: (0.2, "older"), "gone.number()": (1, code)})
    assert check(CALLS, book) == [
        f"missing: {CALLS[2]}",
        f"made by other code (older, not {code}): {CALLS[1]}",
        "used by no page: gone.number()",
    ]


def test_only_what_is_missing_is_computed_and_each_run_is_kept_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, code = NumberStore(tmp_path / "numbers.json"), code_of(parse(CALLS[0])[0])
    book.keep({CALLS[0]: (0.1, code), "gone.number()": (1, code)})
    computations: list[str] = []

    def computed(groups: list[list[str]]) -> Iterator[dict[str, tuple[float, str]]]:
        for group in groups:
            yield dict.fromkeys(group, (0.5, code))
            computations.extend(group)
            assert set(group) <= set(NumberStore(book.path).entries)

    monkeypatch.setattr(numbers.runs, "computed", computed)
    monkeypatch.setattr(numbers, "importlib", SimpleNamespace(import_module=lambda name: None))
    renew(CALLS, book)
    assert set(computations) == set(CALLS[1:])
    values = {call: entry.value for call, entry in NumberStore(book.path).entries.items()}
    assert values == dict(zip(CALLS, (0.1, 0.5, 0.5), strict=True))
    renew(CALLS, book)
    assert len(computations) == 2
