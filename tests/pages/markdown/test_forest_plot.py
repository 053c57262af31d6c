"""The directive that draws differences with their intervals."""

from pathlib import Path

import pytest

from app.pages.document.page import Library
from app.pages.markdown.forest_plot import Axis
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.kept.book import NumberStore, code_of, spelled
from sims.numbers.call import parse
from sims.numbers.fresh_seeds import compared_designs as compared
from sims.paths import CONTENT

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"
DIRECTIVE = """:::{forest} A *caption*
head: Design
calc: compared_designs.difference
verdict: compared_designs.verdict
note: compared_designs.rate
note_words: rate
band: compared_designs.noise()
form: +.3f
across: {label: nats, from: -0.2, to: 0.4}
rows:
- {head: Keel, with: {design: keel}}
- {head: mHC, with: {design: mhc}, work: mhc}
:::
"""


def rendered(folder: Path, text: str = DIRECTIVE) -> str:
    library = Library(numbers=NumberStore(folder / "numbers.json"), glossary_file=CONTENT / "glossary.yaml")
    return str(compile_page(FRONT + text, Path("page.md"), library).html)


def keep(folder: Path, shift: float) -> None:
    """Losses with which Keel loses by `shift`, and mHC wins by 0.1."""
    shifts = {"keel": shift, "mhc": -0.1, "pre-ln": 0.0}
    needed = [call for design in shifts for call in (*compared.verdict.needs(design=design),)]
    needed += [call for design in ("keel", "mhc") for call in compared.rate.needs(design=design)]
    values = {}
    for call in (spelled(*parse(one)) for one in needed):
        calculation, arguments = parse(call)
        seed = arguments.get("seed", 0)
        values[call] = (2 + 0.001 * (seed % 10) + shifts[arguments["design"]], code_of(calculation, arguments))
    NumberStore(folder / "numbers.json").keep(values)


def test_rows_are_in_order_of_their_means_with_verdict_and_interval(tmp_path: Path) -> None:
    keep(tmp_path, 0.1)
    unanswered, html = rendered(tmp_path).split('<tbody class="answered">')
    assert html.index(">mHC") < html.index(">Keel")
    assert unanswered.index(">Keel") < unanswered.index(">mHC")
    assert '<tr class="better">' in html
    assert "0.100" not in unanswered
    assert "better" not in unanswered
    assert "<em>caption</em>" in unanswered
    assert '<tr class="worse">' in html
    assert "−0.100, between −0.100 and −0.100" in html
    assert 'cx="50.0%"' in html
    assert 'class="beyond"' not in html


def test_what_lies_outside_the_axis_ends_in_an_arrow(tmp_path: Path) -> None:
    keep(tmp_path, 0.7)
    html = rendered(tmp_path)
    assert html.count('class="beyond"') == 1
    assert 'cx="100.0%"' in html


def test_numbers_can_have_a_range_without_a_verdict(tmp_path: Path) -> None:
    keep(tmp_path, 0.1)
    lines = [line for line in DIRECTIVE.splitlines(keepends=True) if not line.startswith(("verdict", "note", "band"))]
    lines.insert(3, "statistics: [low, low, high]\nwith: {base: mhc}\n")
    _unanswered, html = rendered(tmp_path, "".join(lines)).split('<tbody class="answered">')
    assert html.count('<tr class="measured">') == 2
    assert "+0.200, between +0.200 and +0.200" in html
    assert "noise" not in html
    assert "chosen-rate" not in html


@pytest.mark.parametrize("key", ["verdict", "band", "note", "note_words"])
def test_a_verdict_needs_its_band_and_a_note_its_words(tmp_path: Path, key: str) -> None:
    lines = [line for line in DIRECTIVE.splitlines(keepends=True) if not line.startswith(f"{key}:")]
    with pytest.raises(BuildError, match="come together"):
        rendered(tmp_path, "".join(lines))


def test_others_results_come_from_the_table_of_works(tmp_path: Path) -> None:
    keep(tmp_path, 0.1)
    _unanswered, html = rendered(tmp_path).split('<tbody class="answered">')
    assert html.count('class="others"') == 1
    assert 'href="#mhc"' in html
    assert "confirmed, confirmed, partly confirmed" in html


def test_it_waits_for_missing_numbers(tmp_path: Path) -> None:
    assert "being computed" in rendered(tmp_path)


def test_a_work_that_is_not_in_the_table_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no work 'nothing'"):
        rendered(tmp_path, DIRECTIVE.replace("work: mhc", "work: nothing"))


@pytest.mark.parametrize(
    ("start", "end", "ticks"),
    [
        (-0.2, 0.4, [-0.2, 0, 0.2, 0.4]),
        (-1, 3, [-1, 0, 1, 2, 3]),
        (-0.03, 0.05, [-0.02, 0, 0.02, 0.04]),
    ],
)
def test_ticks_are_round(start: float, end: float, ticks: list[float]) -> None:
    axis = Axis(start, end)
    assert axis.ticks() == pytest.approx(ticks)
    assert axis.place(start) == 0
    assert axis.place(end + 1) == 100
