"""Tables of results: every cell is what its row and column say, and what cannot be a table is refused on its line."""

import ast
import json
import re
from html import unescape
from pathlib import Path

import pytest

from app.pages.blocks import roles
from app.pages.document.page import Library, Page
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.contract.calculation import Calculation

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"
"""Six lines: the directive stands on line 7, and its text begins on line 8."""

GAINS = """\
calc: worked.batch_norm_gain
form: .2f
head: Layers
columns:
- {head: BatchNorm}
- {head: $d$, calc: worked.default_block_gain, form: .1e}
rows:
- {head: none}
- {head: Five *times*, with: {layers: 5}, cells: [~, –]}
"""


def page(text: str, caption: str = "") -> Page:
    return compile_page(f"{FRONT}:::{{results}} {caption}\n{text}:::\n", Path("page.md"), Library())


def html(text: str, caption: str = "") -> str:
    return str(page(text, caption).html)


def rows(markup: str) -> list[list[str]]:
    """What the cells show, row by row, without markup."""
    return [
        [re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", markup)
    ]


def test_a_cell_shows_what_its_column_computes_in_the_form_of_column_or_table() -> None:
    markup = html(GAINS)
    assert [row[0] for row in rows(markup)] == ["Layers", "none", "Five times"]
    assert rows(markup)[1] == ["none", "1.21", "2.4&nbsp;×&nbsp;10−1"]
    assert rows(markup)[2] == ["Five times", "2.61", "–"]


SPREADS = """\
calc: spreads.error
range: true
form: "%"
head: Seeds
columns:
- {head: range, with: {depth: 2}}
- {head: one number, with: {depth: 2}, range: false}
rows:
- {head: apart, with: {seeds: 2}}
- {head: alike, with: {seeds: 1}}
"""


def test_a_range_goes_from_the_lowest_to_the_highest_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def error(depth: int, seeds: int, statistic: str = "median") -> float:
        return {"lowest": 0.1, "median": 0.2, "highest": 0.1 * depth}[statistic] if seeds > 1 else 0.3

    def parsed(call: str) -> tuple[Calculation, dict[str, object]]:
        node = ast.parse(call, mode="eval").body
        assert isinstance(node, ast.Call)
        return Calculation(error, long=False), {
            str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords
        }

    monkeypatch.setattr(roles, "parse", parsed)
    markup = html(SPREADS)
    assert rows(markup)[1:] == [["apart", "10% to 20%", "20%"], ["alike", "30%", "30%"]]
    assert 'title="computed: spreads.error(seeds=2, depth=2, statistic=&#34;highest&#34;)"' in markup


RUNS = """\
calc: worked.batch_norm_gain
form: .2f
preset: "explorer: skip=none"
head: Layers
columns:
- {head: four, preset: depth=4}
- {head: eight, preset: depth=8}
rows:
- {head: none}
"""


def test_a_cell_may_start_the_run_that_it_sums_up() -> None:
    text = f"{FRONT}:::{{results}}\n{RUNS}:::\n\n:::{{simulation}} explorer\n:::\n"
    markup = str(compile_page(text, Path("a.md"), Library()).html)
    assert rows(markup)[1] == ["none", "1.21", "1.21"]
    links = re.findall(r'<td><a class="preset"[^>]*data-for="explorer" data-preset="([^"]+)">', markup)
    assert [json.loads(unescape(link)) for link in links] == [
        {"skip": "none", "depth": "4"},
        {"skip": "none", "depth": "8"},
    ]


def test_a_cell_that_starts_nothing_on_the_page_is_refused() -> None:
    with pytest.raises(BuildError, match="no simulation"):
        html(RUNS)


def test_every_number_says_how_it_was_computed() -> None:
    markup = html(GAINS)
    assert re.findall(r'title="computed: (.*?)"', markup) == [
        "worked.batch_norm_gain()",
        "worked.default_block_gain()",
        "worked.batch_norm_gain(layers=5)",
    ]


def test_heads_have_a_scope_and_are_markdown_and_the_table_scrolls_by_itself() -> None:
    markup = html(GAINS)
    assert markup.count('<th scope="col">') == 3
    assert markup.count('<th scope="row">') == 2
    assert '<th scope="row">Five <em>times</em></th>' in markup
    assert '<th scope="col"><math' in markup
    assert '<div class="table"><table class="results">' in markup


def test_a_caption_is_markdown_and_may_be_left_out() -> None:
    assert "<caption>What <em>one</em> says</caption>" in html(GAINS, "What *one* says")
    assert "<caption>" not in html(GAINS)


def test_a_row_may_have_a_form_for_all_columns_or_one_for_each_and_words_instead_of_numbers() -> None:
    assert rows(html(GAINS.replace("{head: none}", "{head: none, form: .4f}")))[1] == ["none", "1.2112", "0.2357"]
    markup = html(GAINS.replace("{head: none}", "{head: none, form: [~, .3f]}"))
    assert rows(markup)[1] == ["none", "1.21", "0.236"]
    markup = html(GAINS.replace("[~, –]", '["{calc}`worked.batch_norm_gain()|.1f` to *3*", 0]'))
    assert rows(markup)[2] == ["Five times", "1.2 to 3", "0"]


def test_rows_may_have_several_heads() -> None:
    markup = html(
        GAINS.replace("Layers", "[Layers, Kind]").replace("none}", "[none, 1]}").replace("Five *times*", "[5, b]")
    )
    assert [row[:2] for row in rows(markup)] == [["Layers", "Kind"], ["none", "1"], ["5", "b"]]
    assert markup.count('<th scope="row">') == 4


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked for; nothing of it is known yet."""
    calls: list[str] = []
    calculation = Calculation(lambda: pytest.fail("a long calculation ran while a page was made"), long=True)
    monkeypatch.setattr(roles, "parse", lambda call: calls.append(call) or (calculation, {"asked": len(calls)}))
    return calls


def test_arguments_of_table_row_and_column_meet_in_a_cell_as_they_were_written(calls: list[str]) -> None:
    text = """\
calc: slow.error
with: {depth: 8, name: it's "ü"}
head: a
columns:
- {head: b, with: {skip: false}}
- {head: c, calc: slow.loss, with: {skip: true}}
rows:
- {head: d, with: {gain: -0.5, norm: none}}
"""
    compiled = page(text)
    shared = 'depth=8, name="it\'s \\"ü\\"", gain=-0.5, norm="none"'
    assert calls == [f"slow.error({shared}, skip=False)", f"slow.loss({shared}, skip=True)"]
    assert str(compiled.html).count('class="pending"') == 2
    assert [call.rpartition("(")[2] for call in compiled.pending] == ["asked=1)", "asked=2)"]


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("head: Layers\n", "", "head is missing", 7),
        ("form: .2f", "forms: .2f", "unknown: forms", 7),
        ("- {head: none}\n- {head: Five", "  none: {head: Five", "columns and rows are lists", 7),
        ("calc: worked.batch_norm_gain\n", "", "there is no calc for a cell", 14),
        ("BatchNorm}", "BatchNorm, calc: worked.nothing}", "no calculation named 'nothing'", 15),
        ("{head: BatchNorm}", "BatchNorm", "expected head", 12),
        ("BatchNorm}", "BatchNorm, depth: 3}", "unknown: depth", 12),
        ("BatchNorm}", "BatchNorm, with: 3}", "with: expected arguments", 12),
        ("BatchNorm}", "BatchNorm, with: {layers: 3}}", "'layers' is given twice", 16),
        ("head: none", "head: on", "True: put quotation marks", 15),
        ("head: none", "head: 0.10", "0.1: put quotation marks", 15),
        ("head: none", "head: [none, none]", "head: expected 1,", 15),
        ("head: none", "head: '{term}`none`'", "no term 'none'", 15),
        ("{head: none}", "\n  head: none\n  with: {wrong: 1}", "wrong", 16),
        ("[~, –]", "[–]", "cells: expected a list of 2", 16),
        ("[~, –]", "–", "cells: expected a list of 2", 16),
        ("[~, –]", "[~, –], form: [.1f]", "form: expected a list of 2", 16),
        ("[~, –]", "[~, –], form: nonsense", "format", 16),
    ],
)
def test_what_cannot_be_a_table_is_refused_with_its_line(old: str, new: str, message: str, line: int) -> None:
    assert old in GAINS
    with pytest.raises(BuildError, match=message) as caught:
        html(GAINS.replace(old, new, 1))
    assert caught.value.line == line
