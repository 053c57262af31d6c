"""`python -m tools.field`: which parts of the page *The field* should be looked at again.

It lists the works that nobody has compared with their source for a year, those that are cited as preprints and may have
appeared since, and, of lists that others keep, the works about which nothing has been decided: they are not in the
table, on no other page, and not left out for a reason. A list is any text file with arXiv numbers in it, such as the
source of a page: `python -m tools.field awesome.md`. Nothing is fetched.
"""

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from app.pages.data import bibliography, field
from app.pages.data.bibliography import Entry
from app.pages.data.field import Work
from sims.paths import CONTENT

YEAR, MONTHS = timedelta(days=365), timedelta(days=270)
"""After how long a row is looked at again, and after how long a preprint may have appeared"""

PREPRINT = "preprint"

LEFT_OUT = "field-left-out.toml"
"""Works that are not in the table, by reason"""

NUMBER = re.compile(r"(?<![\d.])\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}(?!\d)")
"""A number of arXiv in a text, whose third and fourth digits are a month; other identifiers look like it otherwise"""


def unchecked(works: Sequence[Work], today: date) -> list[Work]:
    """The works that were last checked more than a year ago, the longest ago first."""
    old = [work for work in works if today - work.last_checked > YEAR]
    return sorted(old, key=lambda work: work.last_checked)


def preprints(works: Sequence[Work], papers: Mapping[str, Entry], today: date) -> list[Work]:
    """The works whose entry in the bibliography says preprint, and that came to arXiv more than nine months ago."""
    cited = (work for work in works if work.cite and papers[work.cite].venue == PREPRINT)
    return [work for work in cited if work.arxiv and today - submitted(work.arxiv) > MONTHS]


def submitted(number: str) -> date:
    """The first day of the month that a number of arXiv says."""
    return date(2000 + int(number[:2]), int(number[2:4]), 1)


def report(files: Sequence[Path], today: date, content: Path = CONTENT) -> Iterator[str]:
    """The lines to print. Raises BuildError if the table or the bibliography is wrong."""
    works = field.read(content / field.FILE)
    papers = bibliography.read(content / "references.bib")
    for work in works:
        field.check_sources(work, papers)
    old, early = unchecked(works, today), preprints(works, papers, today)
    yield f"{len(works)} works, {sum(not work.tried for work in works)} of them tried by nobody that we know of"
    yield f"not checked for a year: {len(old)}"
    yield from (f"  {work.last_checked}  {work.id}" for work in old)
    yield f"cited as preprints for more than nine months: {len(early)}"
    yield from (f"  {work.arxiv}  {work.cite}  {work.title}" for work in early)
    named = {
        *NUMBER.findall((content / field.FILE).read_text(encoding="utf-8")),
        *(one.arxiv for one in papers.values()),
    }
    reasons = left_out(content / LEFT_OUT)
    for file in files:
        numbers = list(dict.fromkeys(NUMBER.findall(file.read_text(encoding="utf-8"))))
        absent = field.missing(works, numbers)
        elsewhere = [number for number in absent if number in named]
        rest = [number for number in absent if number not in named]
        counts = Counter(reasons[number] for number in rest if number in reasons)
        undecided = [number for number in rest if number not in reasons]
        yield f"{file.name}: {len(numbers)} works, {len(numbers) - len(absent)} of them in the table"
        yield f"  cited elsewhere: {len(elsewhere)}"
        yield from (f"  left out, since it {reason}: {count}" for reason, count in counts.items())
        yield f"  undecided: {len(undecided)}"
        yield from (f"    https://arxiv.org/abs/{number}" for number in undecided)


def left_out(path: Path) -> dict[str, str]:
    """Number of arXiv → the reason why the table leaves it out."""
    by_reason = tomllib.loads(path.read_text(encoding="utf-8"))
    return {number: reason for reason, works in by_reason.items() for number in works}


def main() -> None:
    """Print what should be looked at."""
    parser = argparse.ArgumentParser(description="What of the page The field should be looked at again.")
    parser.add_argument("lists", nargs="*", type=Path, help="text files with numbers of arXiv, to compare with")
    parser.add_argument("--on", type=date.fromisoformat, default=date.today(), help="day to count from (today)")
    options = parser.parse_args()
    for line in report(options.lists, options.on):
        print(line)


if __name__ == "__main__":
    main()
