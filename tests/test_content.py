"""The words hold together with the numbers: pages build, names resolve, and what can be computed is not typed."""

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.pages.data.renames import RENAMES
from app.pages.document.editable_numbers import Example
from app.pages.document.worksheet import FigureStill
from app.pages.files import quiz_names
from app.pages.files.sources import FILES, HOME
from app.pages.files.stills import THEMES
from sims import registry
from sims.contract import parameters
from sims.contract.simulation import Training
from sims.paths import CONTENT
from tests.site import CHAPTERS, SLUGS, SOURCES, html_of, site
from tests.typed_numbers import reasons, results_typed

WRITTEN = [
    path
    for path in (*SOURCES.chapters(), CONTENT / "field.md", CONTENT / "home.md")
    if "status: stub" not in path.read_text()
]
written = pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)


DECKS = SOURCES.decks()
BESIDE = [*SOURCES.beside(), *SOURCES.listings(), *DECKS]


@pytest.mark.parametrize("slugs", [*([slug] for slug in SLUGS), BESIDE], ids=[*SLUGS, "beside"])
def test_pages_build_and_their_links_within_the_site_lead_somewhere(slugs: list[str]) -> None:
    for slug in slugs:
        assert_links_lead_somewhere(slug, html_of(slug))


def assert_links_lead_somewhere(slug: str, html: str) -> None:
    for target in re.findall(r'<a[^>]* href="([^"]*)"', html):
        if re.match(r"https?:|mailto:", target) or target in (*FILES, "feed.xml") or quiz_names.FILE.fullmatch(target):
            continue
        place, _, fragment = target.partition("#")
        place = place.partition("?")[0]
        assert place != HOME, f"{target} leads nowhere: the home page is ./"
        assert place in ("", "./", *SLUGS, *BESIDE), f"{target} leads nowhere"
        if fragment and place not in DECKS:  # the script of the slides makes their places
            page = {"": slug, "./": HOME}.get(place, place)
            assert fragment in ids_of(page), f"{target} has no place on its page"


@cache
def ids_of(slug: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', html_of(slug)))


@pytest.mark.parametrize("slug", RENAMES.places)
def test_what_moved_has_left_its_page_and_is_where_its_former_address_leads(slug: str) -> None:
    html = html_of(slug)
    for former, address in RENAMES.places[slug].items():
        place, _, fragment = address.partition("#")
        assert f' id="{former}"' not in html
        assert f' id="{fragment}"' in html_of(place)
        assert f'<a data-moved="{former}" href="{address}">' in html


def test_every_simulation_is_on_a_page() -> None:
    used = {name for path in WRITTEN for name in re.findall(r"^:+\{simulation\} (\w+)", path.read_text(), re.M)}
    assert used == set(registry.simulations())


def test_every_chapter_has_a_picture_on_the_home_page() -> None:
    home = html_of("home")
    for chapter in site().chapters:
        assert set(chapter.images) == set(THEMES), f"{chapter.slug} needs `picture` in its head, and `make stills`"
        for image in chapter.images.values():
            assert f'src="{image.wide}" alt=""' in home


@pytest.mark.parametrize("slug", SLUGS)
def test_a_live_value_is_there_when_its_page_opens(slug: str) -> None:
    page = site().page(slug)
    for place, result in re.findall(r'<output class="value" data-value="([\w-]+)\.(\w+)">', page.html):
        simulation = page.simulations[place]
        opened = simulation.frame(simulation.start()) if isinstance(simulation, Training) else simulation.compute()
        assert result in opened.results, f"{place} has no result {result}"


@pytest.mark.parametrize("slug", CHAPTERS)
def test_no_two_figures_of_a_page_have_the_same_title(slug: str) -> None:
    titles = [item.title for item in site().page(slug).worksheet if isinstance(item, FigureStill)]
    assert sorted(titles) == sorted(set(titles))


@written
def test_a_simulation_in_a_page_starts_from_possible_values(path: Path) -> None:
    for name, body in re.findall(r"^:+\{simulation\} (\w+)\n((?:(?!:::).*\n)*)", path.read_text(), re.M):
        settings = dict(re.findall(r"^(\w+): (.*)$", body, re.M))
        controls = parameters.control_names(registry.find(name))
        _, notes = parameters.read(
            registry.find(name), {key: text for key, text in settings.items() if key in controls}
        )
        assert notes == []


@written
def test_no_result_is_typed(path: Path) -> None:
    assert results_typed(path.read_text()) == []


@written
def test_a_typed_number_has_a_reason_and_is_there(path: Path) -> None:
    text = path.read_text()
    without = re.sub(r"^typed:.*\n(?: .*\n)*", "", text, flags=re.M)
    for number, reason in reasons(text).items():
        assert len(reason.split()) > 1, f"{number}: say why it is typed"
        assert number in results_typed(without), f"{number} needs no reason"


@pytest.mark.parametrize("slug", SLUGS)
def test_no_role_is_left_as_it_was_written(slug: str) -> None:
    """A bare | in a table ends its cell, and the role with it."""
    text = re.sub(r"<pre>.*?</pre>", "", html_of(slug), flags=re.DOTALL)
    assert re.findall(r"\{(?:calc|term|cite|value|knob|preset|input)(?::t)?\}", text) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_no_formula_is_left_as_it_was_written(slug: str) -> None:
    text = re.sub(r"<(pre|script|code)\b.*?</\1>", "", html_of(slug), flags=re.DOTALL)
    assert re.findall(r"\$[^$\n<]*[\\^_][^$\n<]*\$", re.sub(r"<[^>]*>", "", text)) == []


@pytest.mark.parametrize(
    "words",
    [
        "The error is 14%.",
        "It is 3.2 × larger.",
        "12 times as much",
        "10-fold",
        "a ratio of 0.0024",
        "4.5e-7 at best",
        "3,152,384 parameters",
        "It has 56321 weights.",
        "$0.3^5 = 0.00243$",
        "$L \\approx 45.5$",
        "Error −0.31 only",
        "---\ntyped: {0.5: a reason for another}\n---\nIt is 0.7.",
        ":::{predict} p\nanswer: 0.77\n:::\n",
        ":::{simulation} degradation\ncaption: It ends at 0.85.\n:::\n",
        ":::{results} It ends at 0.85.\nhead: a\ncolumns: [{head: b}]\nrows: [{head: c}]\n:::\n",
        ":::{results}\nhead: a\ncolumns: [{head: b}]\nrows: [{head: [c, 0.85 of it]}]\n:::\n",
        ":::{results}\nhead: a\ncolumns: [{head: b}]\nrows: [{head: c, cells: [0.85 of it]}]\n:::\n",
    ],
)
def test_a_typed_result_is_noticed(words: str) -> None:
    assert len(results_typed(words)) == 1


@pytest.mark.parametrize(
    "words",
    [
        "In 2015 and 2016–2018, five seeds, 56 layers.",
        "Section 3.1, Table 2 and Figure 6.1 of the paper",
        "ResNet-1202 on CIFAR-10",
        "Python 3.11",
        "64 × 64 points",
        "`x = 0.25`",
        "```\n0.25\n```",
        "$0.3^5$ and $x = 2$",
        "{calc}`a.b(gain=0.3)|.4f` for a gain of 0.3",
        "learning rate 0.05\n\n:::{simulation} degradation\n:::\n",
        "1,200 training steps with 1202 layers",
        '---\ntyped: {"0.7": said by somebody else}\n---\nIt is 0.7.',
        "across: {label: x, values: [0.5, 1000, 2000]}",
        "Depth {calc}`a.b(width=1024)` is 1,024 wide.",
        ":::{results}\nhead: a\ncolumns: [{head: b, form: .2f}]\nrows: [{head: '0.04', with: {gain: 0.04}}]\n:::\n",
        ":::{worked} w T\n---\ngain: {value: 0.3, from: 0.1, to: 1, step: 0.1, label: g}\n---\nFrom 0.3.\n:::\n",
    ],
)
def test_what_is_chosen_or_named_may_be_typed(words: str) -> None:
    assert results_typed(words) == []


def ids_in_tests() -> set[str]:
    """The ids of claims that a test names, in its name or in its docstring."""
    ids: set[str] = set()
    for path in Path(__file__).parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                ids |= {f"{letter}-{number}".upper() for letter, number in re.findall(r"_([a-h])_(\d\d)_", node.name)}
                ids |= set(re.findall(r"\b[A-H]-\d\d\b", ast.get_docstring(node) or ""))
    return ids


def test_what_a_card_says_is_algebra_or_was_computed_here_is_checked_by_a_test_under_its_id() -> None:
    """On whatever page the card stands, or on none but that of all claims."""
    ours = {claim.id for claim in site().claims.cards.values() if {"computed", "algebra"} & set(claim.evidence)}
    assert sorted(ours - ids_in_tests()) == []


def corners(example: Example) -> Iterator[dict[str, str]]:
    """The ends of every input's range, in all combinations."""
    for values in itertools.product(*(parameter.bounds for parameter in example.inputs.values())):
        yield {name: str(value) for name, value in zip(example.inputs, values, strict=True)}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_worked_example_is_defined_wherever_a_reader_can_set_it(slug: str) -> None:
    for name, example in site().page(slug).examples.items():
        for texts in corners(example):
            answer = example.answer(texts)
            assert answer["notes"] == []
            assert not {"not defined", "not a number"} & set(answer["numbers"]), f"{name} at {texts}"
