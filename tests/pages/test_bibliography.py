"""BibTeX → entries."""

from pathlib import Path

import pytest

from app.pages import bibliography
from app.pages.errors import BuildError

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


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (ENTRY % "" + ENTRY % "", "comes twice", 8),
        ("\n" + (ENTRY % "").replace("verified", "sure"), "'sure' is not one of", 2),
        ((ENTRY % "").replace("title ", "titel "), "title is missing", 1),
    ],
)
def test_mistakes_are_found_with_their_line(text: str, message: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=message) as caught:
        bibliography.read(written(tmp_path, text))
    assert caught.value.line == line
