"""`python -m tools.reproduce`: computes all long numbers again on this machine, and reports how many come out the same.

Kept numbers are not changed. The outcome is printed, and added to the table of the page on how the numbers were made.
"""

import importlib
import os
import sys
import tempfile
import time
from datetime import UTC, datetime

from app.pages.output.site_builder import SiteBuilder
from sims.contract.calculation import Number
from sims.kept.book import Machine, NumberStore
from sims.kept.reproductions import Reproduction, compared, write
from sims.numbers import runs
from sims.numbers.call import parse
from tools.numbers import used


def again(calls: list[str]) -> dict[str, Number]:
    """Compute the values of all calls with an empty cache."""
    with tempfile.TemporaryDirectory() as empty:
        os.environ["SKIP_CACHE"] = empty
        importlib.import_module("sims.chunks.preload")
        groups = runs.grouped(calls)
        began, values = time.monotonic(), dict[str, Number]()
        for done, results in enumerate(runs.computed(groups), 1):
            values |= {call: value for call, (value, _code) in results.items()}
            left = (time.monotonic() - began) / done * (len(groups) - done)
            print(f"{done} of {len(groups)} runs; about {left / 60:.0f} min left", flush=True)
    return values


def summary(outcome: Reproduction) -> str:
    """Return the outcome as lines of text."""
    return "\n".join(
        [
            f"{outcome.count} numbers on {outcome.machine.processor}, {outcome.machine.vectors} to a vector:",
            f"{outcome.exact} agree exactly, {outcome.within} within their tolerance, {len(outcome.differ)} differ",
            *(f"  {number.call}: kept {number.kept}, now {number.found}" for number in outcome.differ),
        ]
    )


def main() -> None:
    """Compute, compare, print and record; fails if a number differs."""
    site = SiteBuilder()
    calls, book = used(site), NumberStore(site.library.numbers.path)
    book_calls = [call for call in calls if call in book.entries]
    values = again(book_calls)
    pairs = {call: (parse(call)[0], book.entries[call].value, values[call]) for call in book_calls}
    outcome = compared(datetime.now(UTC).date().isoformat(), Machine.here(), pairs)
    write(book.path.with_name("reproductions.json"), outcome)
    print(summary(outcome))
    sys.exit(bool(outcome.differ))


if __name__ == "__main__":
    main()
