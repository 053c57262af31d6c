"""The button that trains in a reader's browser says where the compiled kernels of this version are."""

from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.kept import browser_kernels

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"


def rendered(words: str = "") -> str:
    return str(compile_page(f"{FRONT}:::{{proof}}\n{words}:::\n", Path("page.md"), Library()).html)


def test_it_names_files_and_version() -> None:
    version = browser_kernels.key()
    assert f'data-kernels="kernels/{version}/" data-version="{version}"' in rendered()


def test_it_has_no_words_of_its_own() -> None:
    with pytest.raises(BuildError, match="no text of its own"):
        rendered("Words.\n")
