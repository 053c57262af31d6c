"""Lesson plans: what a wrong one says, and that every link of those on the page opens what it names."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.pages.document.page import Library
from app.pages.files.sources import HOME
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.contract import address, parameters
from tests.site import site

LESSONS = {"lesson-20": 20, "lesson-45": 45, "lesson-90": 90}
FRONT = "---\ntitle: T\nslug: t\nquestion: Q\nlede: L\n---\n\n"
LIBRARY = Library(slugs=frozenset(["t", "home", "one"]), titles={"one": "Chapter 0: One"})
STEP = "- {minute: 0, do: Do it, open: one#p, ask: 'What?', expect: This.}\n"


def made(body: str) -> str:
    return str(compile_page(FRONT + body, Path("t.md"), LIBRARY).html)


def steps(anchor: str) -> list[str]:
    """The rows of a plan on the page."""
    table = re.search(rf'<div class="table lesson wide" id="{anchor}">.*?</table>', site().html("teach"), re.DOTALL)
    assert table
    return re.findall(r"<tr><th scope=\"row\">.*?</tr>", table[0], re.DOTALL)


def links(html: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a class="opens" href="([^"]+)"', html)]


@pytest.mark.parametrize("anchor", LESSONS)
def test_a_plan_fills_its_minutes(anchor: str) -> None:
    minutes = [int(re.search(r">(\d+)<", row)[1]) for row in steps(anchor)]  # type: ignore[index]
    assert minutes[0] == 0
    assert minutes == sorted(minutes)
    assert LESSONS[anchor] - 8 <= minutes[-1] < LESSONS[anchor]
    assert len(links("".join(steps(anchor)))) == len(minutes)


def test_every_link_of_a_plan_opens_what_it_names() -> None:
    planned = [link for rows in map(steps, LESSONS) for link in links("".join(rows))]
    presented = [unescape(link) for link in re.findall(r'href="([^"]*present=[^"]*)"', site().html("teach"))]
    assert min(len(planned), len(presented)) > 0
    for link in planned + presented:
        assert_opens(link)


def assert_opens(link: str) -> None:
    """Check that the page, the figure and the settings of a link exist."""
    parts = urlsplit(link)
    slug = HOME if parts.path == "./" else parts.path
    page, html = site().page(slug), site().html(slug)
    assert f'id="{parts.fragment}"' in html
    query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    if "present" in query:
        assert query.pop("present") in (*page.simulations, *page.exercises)
    if not query:
        return
    assert query.pop("v") == str(address.VERSION)
    settings = {name.partition(".")[2]: text for name, text in query.items()}
    assert {name.partition(".")[0] for name in query} == {parts.fragment}
    values, notes = parameters.read(type(page.simulations[parts.fragment]), settings)
    assert notes == []
    assert values.keys() == settings.keys()


def test_every_page_that_teaches_has_its_sheets_on_the_page() -> None:
    html = site().html("teach")
    assert all(f'href="sheet-{chapter.slug}">{chapter.kind}: ' in html for chapter in site().chapters)


def test_a_plan_is_a_table_of_steps() -> None:
    html = made(f":::{{lesson}} l A lesson\n{STEP}:::\n")
    assert 'href="one#p"' in html
    assert html.count("<tr>") == 2


def test_home_has_an_address_of_its_own() -> None:
    assert 'href="./#a"' in made(":::{lesson} l A lesson\n- {minute: 0, do: Do it, open: 'home#a'}\n:::\n")


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (f":::{{lesson}} l\n{STEP}:::\n", "an id, a title, and a list of steps"),
        (":::{lesson} l A lesson\nminute: 0\n:::\n", "an id, a title, and a list of steps"),
        (f":::{{lesson}} l A lesson\n{STEP}{STEP}:::\n", "it rises from step to step"),
        (":::{lesson} l A lesson\n- {minute: soon, do: x}\n:::\n", "minute: expected a whole number"),
        (":::{lesson} l A lesson\n- {minute: 0}\n:::\n", "do is missing"),
        (":::{lesson} l A lesson\n- {minute: 0, do: x, open: two}\n:::\n", "there is no page for 'two'"),
        (":::{sheets} one\n:::\n", "no text of its own"),
        (":::{room} enter\n:::\n", "one of open, join, not 'enter'"),
    ],
)
def test_a_mistake_is_found(body: str, complaint: str) -> None:
    with pytest.raises(BuildError, match=complaint):
        made(body)
