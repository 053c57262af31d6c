"""The lines that write themselves are those of the kept run, moment by moment."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.kept import results
from sims.simulations.language_models.language import LOOKS, Language

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"


def html(simulation: str) -> str:
    return str(
        compile_page(f"{FRONT}:::{{opening}} {simulation}\nTwo *models*.\n:::\n", Path("page.md"), Library()).html
    )


def test_every_moment_of_the_run_is_there_and_the_last_one_shows() -> None:
    markup = html("language")
    attribute = re.search(r'data-moments="(.*?)"', markup)
    assert attribute
    moments = json.loads(unescape(attribute[1]))
    assert len(moments) == LOOKS + 1
    frame = results.kept(Language())
    assert frame
    for index, moment in enumerate(moments):
        read = Language(moment=index).reread(frame).results
        assert moment["step"] == read["read_at"]
        assert moment["with"].split() == str(read["with_text"]).split()
        assert moment["without"].split() == str(read["without_text"]).split()
    text = unescape(re.sub(r"<.*?>", "", markup))
    assert moments[-1]["with"] in text
    assert moments[-1]["without"] in text
    assert f"after {frame.steps} of {frame.steps} steps" in text
    assert "<em>models</em>" in markup


def test_nothing_is_trained_for_it_where_the_run_came_with_the_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    markup = html("language")
    assert "data-moments" in markup
    assert list(tmp_path.iterdir()) == []


def test_what_writes_no_texts_is_refused() -> None:
    with pytest.raises(BuildError, match="paths writes no texts"):
        html("paths")
