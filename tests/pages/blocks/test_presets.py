"""A preset names settings that exist, and is an ordinary link where no script runs."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError

HEAD = "---\ntitle: A\nslug: a\nquestion: A?\nlede: A.\n---\n"
HOLE = "\n\n:::{simulation} explorer\n:::\n"


def page(text: str) -> str:
    return str(compile_page(HEAD + text + HOLE, Path("a.md"), Library()).html)


def test_it_is_a_link_into_the_state_that_it_sets() -> None:
    html = page("{preset}`Deep and plain <explorer: depth=32, skip=none, branch_factor=1/blocks>`")
    link = re.search(r'<a class="preset" href="([^"]+)" data-for="explorer" data-preset="([^"]+)">([^<]+)</a>', html)
    assert link
    assert unescape(link[1]) == "?explorer.depth=32&explorer.skip=none&explorer.branch_factor=1%2Fblocks&v=2#explorer"
    assert json.loads(unescape(link[2])) == {"depth": "32", "skip": "none", "branch_factor": "1/blocks"}
    assert link[3] == "Deep and plain"


def test_a_list_of_numbers_is_one_setting() -> None:
    html = str(
        compile_page(
            f"{HEAD}{{preset}}`Every other <tower: cut=2, 4, 7-9, norm=pre>`\n\n:::{{simulation}} tower\n:::\n",
            Path("a.md"),
            Library(),
        ).html
    )
    settings = re.search(r'data-preset="([^"]+)"', html)
    assert settings
    assert json.loads(unescape(settings[1])) == {"cut": "2, 4, 7-9", "norm": "pre"}


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        ("words", "not of the form"),
        ("words <nobody: depth=3>", "no simulation"),
        ("words <explorer: depht=32>", "no control named"),
        ("words <explorer: depth=33>", "plus a multiple"),
        ("words <explorer: skip>", "not a possible value"),
    ],
)
def test_a_mistake_in_it_stops_the_build(content: str, mistake: str) -> None:
    with pytest.raises(BuildError, match=mistake):
        page(f"{{preset}}`{content}`")


def test_an_outcome_is_kept_until_it_is_requested() -> None:
    cells = r"{preset}`run <explorer: depth=32>` | {held}``{calc}`worked.batch_norm_gain()\|.2f` ``"
    html = page(f"| a | b |\n|---|---|\n| {cells} |")
    fold = re.search(r'<details class="held"><summary>bet first</summary>(.*?)</details>', html)
    assert fold
    assert "1.21" in fold[1]
    row = re.search(r"<tr>\s*<td>.*?</tr>", html, re.DOTALL)
    assert row
    assert 'class="preset"' in row[0]
    assert 'class="held"' in row[0]
