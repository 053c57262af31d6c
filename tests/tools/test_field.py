"""The list of what to look at again, on a day in the future and with a list of somebody else's."""

from datetime import date
from pathlib import Path

import pytest

from app.pages.data import bibliography, field
from sims.paths import CONTENT
from tools.field import LEFT_OUT, left_out, preprints, report, submitted, unchecked

WORKS = field.read(CONTENT / field.FILE)
PAPERS = bibliography.read(CONTENT / "references.bib")


def test_nothing_is_old_on_the_day_on_which_it_was_checked_and_everything_is_two_years_later() -> None:
    assert unchecked(WORKS, min(work.last_checked for work in WORKS)) == []
    later = unchecked(WORKS, date(2028, 11, 26))
    assert len(later) == len(WORKS)
    assert [work.last_checked for work in later] == sorted(work.last_checked for work in WORKS)


@pytest.mark.parametrize(("number", "day"), [("2609.32534", date(2026, 9, 1)), ("1707.04585", date(2017, 7, 1))])
def test_a_number_of_arxiv_says_its_month(number: str, day: date) -> None:
    assert submitted(number) == day


def test_a_preprint_is_named_once_it_may_have_appeared() -> None:
    (work,) = (work for work in WORKS if work.id == "mhc-lite")
    (preprint,) = (work for work in WORKS if work.id == "stream-duality")
    assert preprints([work, preprint], PAPERS, date(2026, 4, 1)) == []
    assert preprints([work, preprint], PAPERS, date(2027, 4, 1)) == [preprint]  # the other has appeared


def test_a_list_of_others_is_compared(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.md"
    theirs.write_text(
        "- [one](https://arxiv.org/abs/2409.19606v3)\n- 9912.00001, again 9912.00001; 2203.17270, 1512.03385"
    )
    lines = list(report([theirs], date(2026, 11, 26)))
    assert lines[-5:] == [
        "theirs.md: 4 works, 1 of them in the table",
        "  cited elsewhere: 1",
        "  left out, since it does not change the skip: 1",
        "  undecided: 1",
        "    https://arxiv.org/abs/9912.00001",
    ]
    assert lines[0].startswith(f"{len(WORKS)} works, ")


def test_a_work_that_is_left_out_is_not_in_the_table_and_its_number_is_one_of_arxiv() -> None:
    reasons = left_out(CONTENT / LEFT_OUT)
    assert not {work.arxiv for work in WORKS} & set(reasons)
    assert all(field.ARXIV.fullmatch(number) for number in reasons)


def test_other_identifiers_are_no_numbers_of_arxiv(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.md"
    theirs.write_text("doi 10.1109/Con63549.2026.11476522, ISBN 9780.26203, 10.5281/2026.08362, 2409.19606\n")
    assert "theirs.md: 1 works, 1 of them in the table" in report([theirs], date(2026, 11, 26))
