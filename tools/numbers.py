"""`python -m tools.numbers`: computes and keeps the long numbers of the prose that are missing or stale, and the runs
that pages show first.

Each result is written immediately, so after an interruption it continues where it was. With `--check`, it computes
nothing, but reports what is missing, stale or used by no page, and fails if there is anything to report.
"""

import importlib
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping

from app.pages.output.site_builder import SiteBuilder
from app.prerender import runs as runs_shown
from sims.contract.simulation import Simulation
from sims.kept import results
from sims.kept.book import NumberStore, code_of
from sims.kept.processes import collect_rarely
from sims.numbers import runs
from sims.numbers.call import parse


def used(site: SiteBuilder) -> list[str]:
    """Return the long calls of all pages, in the order of the pages. Raises BuildError if a page cannot be built."""
    return list(dict.fromkeys(call for slug in site.slugs for call in site.page(slug).long))


def missing(calls: Iterable[str], book: NumberStore) -> list[str]:
    """Return the calls whose values are not in the book, or were made by other code than the current one."""
    return [call for call in calls if book.value(*parse(call)) is None]


def orphans(calls: Iterable[str], book: NumberStore) -> set[str]:
    """Return the calls in the book that no page uses."""
    return set(book.entries) - set(calls)


def check(calls: list[str], book: NumberStore) -> list[str]:
    """Return what is wrong with the book, one line each."""
    absent = missing(calls, book)
    return [
        *(f"missing: {call}" for call in absent if call not in book.entries),
        *(
            f"made by other code ({book.entries[call].code}, not {code_of(*parse(call))}): {call}"
            for call in absent
            if call in book.entries
        ),
        *(f"used by no page: {call}" for call in sorted(orphans(calls, book))),
    ]


def check_runs(simulations: Mapping[runs_shown.RunKey, Simulation]) -> list[str]:
    """Return what is wrong with the runs that come with the code, one line each."""
    absent = {_without_version(results.name(simulations[run])): run for run in runs_shown.missing(simulations)}
    orphans = {file: _without_version(file) for file in runs_shown.orphans(simulations)}
    return [
        *(
            f"{'a run made by other code' if run in orphans.values() else 'a missing run'}: {name} {dict(settings)}"
            for run, (name, settings) in absent.items()
        ),
        *(f"a run that no page shows first: {file}" for file, run in orphans.items() if run not in absent),
    ]


def _without_version(file: str) -> str:
    """The name of a run's file up to the version of the code that made it."""
    return file.partition(".")[0]


def summary(numbers: list[str], runs: list[str]) -> str:
    """Return what is wrong with numbers and runs, one line each, and how many there are."""
    if not numbers and not runs:
        return "all numbers are there"
    counts = [
        f"{len(wrong)} {what}{'s' if len(wrong) > 1 else ''}"
        for wrong, what in ((numbers, "number"), (runs, "run"))
        if wrong
    ]
    return "\n".join(
        [*numbers, *runs, f"stale, missing or unused: {' and '.join(counts)}; `make numbers` computes them"]
    )


def renew(calls: list[str], book: NumberStore) -> None:
    """Compute and keep missing numbers, and drop those that no page uses."""
    book.drop(orphans(calls, book))
    groups = runs.grouped(missing(calls, book))
    if not groups:
        print("all numbers are there")
        return
    print(f"{sum(map(len, groups))} numbers in {len(groups)} runs are to be computed; the engine first", flush=True)
    importlib.import_module("sims.chunks.preload")
    began = time.monotonic()
    for done, values in enumerate(runs.computed(groups), 1):
        book.keep(values)
        left = (time.monotonic() - began) / done * (len(groups) - done)
        for call, (value, _code) in values.items():
            print(f"{call} = {value}")
        print(f"{done} of {len(groups)} runs; about {left / 60:.0f} min left", flush=True)


def main() -> None:
    """Renew the book and the runs, or check them."""
    parser = ArgumentParser("python -m tools.numbers", description="Computes what is missing or stale.")
    parser.add_argument("--check", action="store_true", help="compute nothing; fail if there is anything to compute")
    arguments = parser.parse_args()
    collect_rarely()
    site = SiteBuilder()
    calls, book = used(site), NumberStore(site.library.numbers.path)
    simulations = runs_shown.first(site.places().values())
    if arguments.check:
        wrong = check(calls, book), check_runs(simulations)
        print(summary(*wrong))
        sys.exit(any(wrong))
    renew(calls, book)
    for (name, _settings), left in runs_shown.ship(simulations):
        print(f"the end of a run of {name}; {left} left", flush=True)


if __name__ == "__main__":
    main()
