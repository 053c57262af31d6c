"""The table of works: what it says is checked as it is read, and it agrees with the bibliography and with the pages."""

from datetime import date
from pathlib import Path

import pytest

from app.pages.data import bibliography, field
from app.pages.data.field import KINDS
from app.pages.text.errors import BuildError, Mistake
from sims.paths import CONTENT
from tests.site import html_of, site

WORKS = field.read(CONTENT / field.FILE)
PAPERS = bibliography.read(CONTENT / "references.bib")

ENTRY = """\
[[works]]
id = "one"
title = "One"
year = 2024
kind = "lanes"
arxiv = "2409.19606"
cite = "zhu2024"
claim = "It helps."
basis = "abstract"
tried = [{by = "Somebody", outcome = "refuted", found = "It did not."}]
checked = "Not tried."
first_seen = 2026-11-22
last_checked = 2026-11-26
"""


def read(folder: Path, text: str) -> list[field.Work]:
    file = folder / field.FILE
    file.write_text(text, encoding="utf-8")
    return list(field.read(file))


def test_an_entry_is_read_and_what_it_leaves_out_is_empty(tmp_path: Path) -> None:
    one, two = read(tmp_path, f"# head\n\n{ENTRY}\n{ENTRY.replace('one', 'two').replace('2024', '2025', 1)}")
    assert (one.id, one.year, two.id, two.line) == ("two", 2025, "one", 3)  # both were tried once: the newest first
    assert (two.shipped, two.cost, two.toy, two.last_checked) == ((), "", "", date(2026, 11, 26))
    assert two.outcomes == ["refuted"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('claim = "It helps."\n', "", "claim is missing"),
        ('claim = "It helps."', 'claim = ""', "leave out what is not known"),
        ('claim = "It helps."', 'claims = "It helps."', "claim is missing"),
        ('id = "one"', 'id = "one"\nvenue = "ICLR"', "unknown: venue"),
        ('kind = "lanes"', 'kind = "roads"', "'roads' is not one of placement"),
        ('basis = "abstract"', 'basis = "guess"', "'guess' is not one of text"),
        ('outcome = "refuted"', 'outcome = "good"', "'good' is not one of confirmed"),
        ('found = "It did not."', 'said = "It did not."', "found is missing"),
        ("2409.19606", "arXiv:2409.19606", "is not of the form"),
        ('id = "one"', 'id = "One work"', "is not of the form"),
        ("last_checked = 2026-11-26", 'last_checked = "2026-11-26"', "is no date"),
        ("last_checked = 2026-11-26", "last_checked = 2025-11-26", "before first_seen"),
        ("year = 2024", 'year = "2024"', "is no int"),
        ('title = "One"', "title = One", "this is not TOML"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_line(tmp_path: Path, before: str, after: str, message: str) -> None:
    assert before in ENTRY
    with pytest.raises(BuildError, match=message) as error:
        read(tmp_path, f"# head\n\n{ENTRY.replace(before, after)}")
    assert error.value.line == 3


def test_an_entry_comes_once(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="one comes twice") as error:
        read(tmp_path, ENTRY + ENTRY)
    assert error.value.line == 1 + ENTRY.count("\n")


@pytest.mark.parametrize(("before", "message"), [("zhu2024", "no key 'nobody'"), ("2409.19606", "in the references")])
def test_an_entry_agrees_with_the_bibliography(tmp_path: Path, before: str, message: str) -> None:
    (work,) = read(tmp_path, ENTRY.replace(before, "nobody" if before.isalnum() else "2409.00000"))
    with pytest.raises(Mistake, match=message):
        field.check_sources(work, PAPERS)


def test_the_works_agree_with_the_bibliography_and_lead_to_figures_that_exist() -> None:
    for work in WORKS:
        field.check_sources(work, PAPERS)
        page, _hash, figure = work.toy.partition("#")
        assert not work.toy or figure in site().page(page).simulations, work.id


def test_a_number_of_arxiv_is_in_the_table_once() -> None:
    numbers = [work.arxiv for work in WORKS if work.arxiv]
    assert sorted(numbers) == sorted(set(numbers))


def test_every_kind_has_a_work_and_texts_end_as_they_should() -> None:
    assert {work.kind for work in WORKS} == set(KINDS)
    for work in WORKS:
        assert work.claim.endswith("."), work.id
        assert work.checked.endswith((".", "year).")), work.id


def test_what_rests_on_memory_says_so() -> None:
    """A row from memory leans on no paper that was opened, and one that was read on none from memory."""
    for work in WORKS:
        if work.cite:
            assert (PAPERS[work.cite].status == "memory") == (work.basis == "memory"), work.id


def test_the_table_shows_every_work_and_what_is_not_known() -> None:
    html = html_of("field")
    for work in WORKS:
        row = html[html.index(f'id="{work.id}" data-kind=') :].partition("</tr>")[0]
        assert row.count("not known to us") >= (not work.shipped) + (not work.tried), work.id
        assert not work.tried or all(trial.outcome in row for trial in work.tried)


def test_what_after_2024_says_of_the_whole_table_holds() -> None:
    page = (CONTENT / "deep-dives" / "F-after-2024.md").read_text(encoding="utf-8")
    assert "lists more than eighty works" in page
    assert 80 < len(WORKS) < 90
    assert "Almost every proposal keeps the plus sign" in page
    assert sum(work.kind == "skipless" for work in WORKS) < len(WORKS) / 10
    assert "Few have been tried by anybody but their authors" in page
    assert sum(bool(work.tried) for work in WORKS) < len(WORKS) / 5
    assert "where several people have tried, they often disagree" in page
    often_tried = [work for work in WORKS if len(work.tried) > 1]
    assert sum(len(work.outcomes) > 1 for work in often_tried) > len(often_tried) / 2
