"""The table of reproductions says what is kept, where it was made, and what came out when it was done again."""

from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.contract.calculation import calculation
from sims.kept.book import Machine, NumberStore
from sims.kept.reproductions import compared, write

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"


@calculation(long=True)
def strict() -> float:
    """A number."""
    return 1.0


def rendered(folder: Path, words: str = "") -> str:
    library = Library(numbers=NumberStore(folder / "numbers.json"))
    return str(compile_page(f"{FRONT}:::{{reproductions}}\n{words}:::\n", Path("page.md"), library).html)


def test_it_tells_machines_counts_and_what_differed(tmp_path: Path) -> None:
    NumberStore(tmp_path / "numbers.json").keep({"a.b()": (1.0, "code"), "a.c()": (2.0, "code")})
    assert "2 long numbers are kept" in rendered(tmp_path)
    assert "not been computed again yet" in rendered(tmp_path)
    pairs = {"a.b()": (strict, 1.0, 1.0), "a.c()": (strict, 2.0, 3.5)}
    write(tmp_path / "reproductions.json", compared("2026-01-02", Machine("<chip>", 8, "numpy"), pairs))
    html = rendered(tmp_path)
    head = '<th scope="row"><time>2026-01-02</time>, &lt;chip&gt;, 8 per register</th>'
    assert f"{head}<td>2</td><td>1</td><td>0</td><td>1</td>" in html
    assert "<code>a.c()</code>" in html
    assert "<td>2.0</td><td>3.5</td>" in html


def test_it_takes_no_words(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no text of its own"):
        rendered(tmp_path, "Words.\n")
