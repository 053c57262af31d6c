"""BibTeX → entries."""

from pathlib import Path

import pytest

from app.pages.data import bibliography
from app.pages.text.errors import BuildError

ENTRY = """@misc{key,
  author = {He, Kaiming and Sun, Jian%s},
  title  = {Deep {R}esidual Learning -- a Title},
  year   = {2015},
  eprint = {1512.03385},
  status = {verified},
}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "references.bib"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_entry(tmp_path: Path) -> None:
    entry = bibliography.read(written(tmp_path, "% a comment\n\n" + ENTRY % ""))["key"]
    assert entry.authors == ("Kaiming He", "Jian Sun")
    assert entry.short == "He & Sun"
    assert entry.title == "Deep Residual Learning – a Title"
    assert entry.link == "https://arxiv.org/abs/1512.03385"
    assert entry.bibtex.startswith("@misc{key,")


def test_long_lists_are_cut_in_sentences(tmp_path: Path) -> None:
    assert bibliography.read(written(tmp_path, ENTRY % " and Ren, S."))["key"].short == "He et al."
    entry = bibliography.read(written(tmp_path, ENTRY % " and others"))["key"]
    assert (entry.short, entry.byline) == ("He et al.", "Kaiming He, Jian Sun et al.")


def test_a_value_may_span_two_lines_and_be_quoted(tmp_path: Path) -> None:
    text = (ENTRY % "").replace("{2015},", '"2015",\n  Note = {Half of it\n      read, @ 50% & more},')
    entry = bibliography.read(written(tmp_path, text))["key"]
    assert (entry.year, entry.note) == ("2015", "Half of it read, @ 50% & more")


@pytest.mark.parametrize(
    ("latex", "author"),
    [
        (r"Erd{\H{o}}s, P{\'a}l", "Pál Erdős"),
        (r"{\L}ukasz, Jan", "Jan Łukasz"),
        (r"Schr{\"o}dinger, E.", "E. Schrödinger"),
        ("Kaiming He", "Kaiming He"),
        ("van der Maaten, Laurens", "Laurens van der Maaten"),
        ("{Barnes and Noble}", "Barnes and Noble"),
    ],
)
def test_names_are_spelled_as_people_spell_them(latex: str, author: str, tmp_path: Path) -> None:
    entry = bibliography.read(written(tmp_path, (ENTRY % "").replace("Sun, Jian", latex)))["key"]
    assert entry.authors == ("Kaiming He", author)


def test_a_family_is_the_part_that_others_cite(tmp_path: Path) -> None:
    text = (ENTRY % "").replace("Sun, Jian", "van der Maaten, Laurens").replace("He, Kaiming", "Kaiming He")
    assert bibliography.read(written(tmp_path, text))["key"].short == "He & van der Maaten"


def test_papers_of_the_same_authors_and_year_have_letters(tmp_path: Path) -> None:
    other, later = ENTRY.replace("{key", "{other"), ENTRY.replace("{key", "{later").replace("2015", "2016")
    papers = bibliography.read(written(tmp_path, (ENTRY + other + later) % ("", "", "")))
    assert {key: paper.dated for key, paper in papers.items()} == {"key": "2015a", "other": "2015b", "later": "2016"}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (ENTRY % "" + ENTRY % "", "comes twice", 8),
        ("\n" + (ENTRY % "").replace("verified", "sure"), "'sure' is not one of", 2),
        ((ENTRY % "").replace("title ", "titel "), "title is missing", 1),
        ((ENTRY % "").replace("2015", ""), "year is missing", 1),
        ((ENTRY % "").replace("  title", "  year = {2014},\n  title"), "year", 1),
        ("\n" + (ENTRY % "").removesuffix("}\n"), "end of file", 2),
        ("\n" + (ENTRY % "").removesuffix("}\n") + ENTRY % "", "cannot be read", 2),
        ((ENTRY % "").replace("2015}", "2015"), "cannot be read|end of file", 1),
        ((ENTRY % "").replace("2015},", "2015}"), "year: .* is a comma missing", 4),
        ((ENTRY % "").replace("{2015}", "soon"), "year: .* neither in braces", 4),
        ((ENTRY % "").replace("{R}", r"\nonsense{R}"), "title: there is no text for", 3),
        ((ENTRY % "").replace("Sun, Jian", "Sun, Jian, A, B"), "author", 2),
        ("% a comment\n\n" + (ENTRY % "").replace("@misc", "misc"), "is neither within an entry nor a comment", 3),
    ],
)
def test_mistakes_are_found_with_their_line(text: str, message: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=message) as caught:
        bibliography.read(written(tmp_path, text))
    assert caught.value.line == line
