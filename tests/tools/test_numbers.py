"""Every long number and every first run of the pages is kept, made by today's code, and used."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.pages.document.figure_placement import FigurePlacement
from app.prerender import runs as runs_shown
from sims.kept import results
from sims.kept.book import NumberStore, code_of
from sims.numbers.call import parse
from tests.site import site
from tests.tiers import first
from tools import numbers
from tools.numbers import check, check_runs, renew, summary, used

CALLS = [f"failures.training_error(depth={depth}, initialization='he')" for depth in (20, 56, 100)]

CHEAP = (
    *("by_hand", "causality", "famous_stack", "jacobian_walk", "ln_jacobian", "prenorm_stack"),
    *("probe", "saved", "saved_tensors", "worked_norms", "init", "failures", "highway"),
)
"""Modules with a long number that takes seconds at most; the last one needs kernels that take long to compile."""


@cache
def used_calls() -> list[str]:
    return used(site())


def test_no_number_and_no_run_is_missing_stale_or_unused() -> None:
    simulations = runs_shown.first(site().places().values())
    wrong = check(used_calls(), site().library.numbers), check_runs(simulations)
    assert not any(wrong), summary(*wrong)


@pytest.mark.parametrize("module", first(len(CHEAP) - 1, CHEAP))
def test_a_spread_of_kept_numbers_is_what_comes_out_today(module: str) -> None:
    call = next(call for call in used_calls() if call.startswith(f"{module}."))
    calculation, arguments = parse(call)
    assert calculation.agree(site().library.numbers.entries[call].value, calculation(**arguments))


def test_the_check_tells_missing_stale_and_orphaned_apart(tmp_path: Path) -> None:
    book, code = NumberStore(tmp_path / "numbers.json"), code_of(*parse(CALLS[0]))
    book.keep({CALLS[0]: (0.1, code), CALLS[1]: (0.2, "older"), "gone.number()": (1, code)})
    assert check(CALLS, book) == [
        f"missing: {CALLS[2]}",
        f"made by other code (older, not {code}): {CALLS[1]}",
        "used by no page: gone.number()",
    ]


def test_a_stale_run_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "SHIPPED", tmp_path)
    simulations = runs_shown.first(
        FigurePlacement("a", name, {}) for name in ("insert_identity", "rezero", "plus_signs")
    )
    files = [results.name(run) for run in simulations.values()]
    (tmp_path / files[0]).touch()
    (tmp_path / f"{files[1].partition('.')[0]}.0123456789ab.npz").touch()
    (tmp_path / "Old-0.1.npz").touch()
    stale, missing, unused = check_runs(simulations)
    assert stale.startswith("a run made by other code: rezero {")
    assert missing.startswith("a missing run: plus_signs {")
    assert unused == "a run that no page shows first: Old-0.1.npz"


def test_the_last_line_of_the_check_counts() -> None:
    assert summary([], []) == "all numbers are there"
    assert (
        summary(["one", "two"], ["three"])
        == "one\ntwo\nthree\nstale, missing or unused: 2 numbers and 1 run; `make numbers` computes them"
    )
    assert (
        summary([], ["three", "four"]).splitlines()[-1]
        == "stale, missing or unused: 2 runs; `make numbers` computes them"
    )


def test_only_what_is_missing_is_computed_and_each_run_is_kept_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, code = NumberStore(tmp_path / "numbers.json"), code_of(*parse(CALLS[0]))
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
