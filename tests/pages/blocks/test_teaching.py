"""Lesson plans: what a wrong one says, and that every link of those on the page opens what it names."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.pages.document.page import Library
from app.pages.files.sources import HOME, SLIDES
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from sims.contract import address, parameters
from tests.site import SOURCES, html_of, site

LESSONS = {"lesson-20": 20, "lesson-45": 45, "lesson-90": 90, "lesson-language": 45, "lesson-bugs": 90}
PLANS = {anchor: page for page, anchor in SOURCES.decks().values()}
"""Lesson → the page with its plan"""
FRONT = "---\ntitle: T\nslug: t\nquestion: Q\nlede: L\n---\n\n"
LIBRARY = Library(slugs=frozenset(["t", "home", "one"]), titles={"one": "Chapter 0: One"})
STEP = "- {minute: 0, do: Do it, open: one#p, ask: 'What?', expect: This., answer: That.}\n"
HEAD = ":::{lesson} l A lesson\naims: [do it]\nneeds: nothing.\nsteps:\n"


def rendered(body: str) -> str:
    return str(compile_page(FRONT + body, Path("t.md"), LIBRARY).html)


def steps(anchor: str) -> list[str]:
    """The rows of a plan on the page."""
    table = re.search(rf'<div class="table lesson wide" id="{anchor}">.*?</table>', html_of(PLANS[anchor]), re.DOTALL)
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
    presented = [unescape(link) for link in re.findall(r'href="([^"]*present=[^"]*)"', html_of("teach"))]
    assert min(len(planned), len(presented)) > 0
    for link in planned + presented:
        assert_opens(link)


def assert_opens(link: str) -> None:
    """Check that the page, the figure and the settings of a link exist."""
    parts = urlsplit(link)
    slug = HOME if parts.path == "./" else parts.path
    page, html = site().page(slug), html_of(slug)
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
    html = html_of("teach")
    assert all(f'href="sheet-{chapter.slug}">{chapter.kind}: ' in html for chapter in site().chapters)


def test_each_plan_is_on_a_page_that_the_teachers_page_leads_to() -> None:
    assert set(PLANS) == set(LESSONS)
    html = html_of("teach")
    assert all(f'href="{page}' in html for page in {*PLANS.values(), "handouts", "problem-set"})


@pytest.mark.parametrize("anchor", LESSONS)
def test_a_plan_has_aims_answers_and_slides_and_its_page_has_a_ticket(anchor: str) -> None:
    (lesson,) = (plan for plan in site().page(PLANS[anchor]).lessons if plan.id == anchor)
    assert len(lesson.aims) >= 3
    assert lesson.needs
    questions = [step for step in lesson.steps if step.ask]
    assert all(step.answer and step.expect for step in questions)
    assert sum(len(step.wrong) for step in lesson.steps) >= 3
    html = html_of(PLANS[anchor])
    assert f'href="{SLIDES}{anchor}"' in html
    assert 'class="hand-out ticket"' in html


def test_eight_claims_are_handed_out_without_their_verdicts() -> None:
    html = str(site().page("handouts").html)
    sheets, key = html.split('<details class="fold key"')
    assert sheets.count('<section class="hand-out"') == 8
    names = re.findall(r'<section class="hand-out" id="([A-H]-\d\d)"', sheets)
    cards = [site().claims.cards[name] for name in names]
    assert {card.verdict for card in cards} == {"holds", "holds if", "does not hold", "open"}
    for card in cards:
        assert_opens(card.link())
        assert f'href="claims#{card.id}"' in key
        assert not card.condition or card.condition not in sheets
    verdicts = re.findall(r"<dd><strong>It (.*?)</strong>", key)
    for verdict, card in zip(verdicts, cards, strict=True):
        assert verdict.removeprefix("is ").startswith(card.verdict)


def test_a_plan_is_a_table_of_steps_with_a_key() -> None:
    html = rendered(f"{HEAD}{STEP}:::\n")
    assert 'href="one#p"' in html
    assert html.count("<tr>") == 2
    assert "<dd>That.</dd>" in html
    wrong = STEP.replace("That.}", "That., wrong: [{says: So., reply: No.}]}")
    assert '<dd class="reply"><q>So.</q> No.</dd>' in rendered(f"{HEAD}{wrong}:::\n")


def test_home_has_an_address_of_its_own() -> None:
    assert 'href="./#a"' in rendered(f"{HEAD}- {{minute: 0, do: Do it, open: 'home#a'}}\n:::\n")


def test_a_ticket_keeps_its_answers_apart() -> None:
    html = rendered(":::{ticket} t Before you go\n- {ask: 'Why?', answer: So., lines: 3}\n:::\n")
    ticket, key = html.split("<details")
    assert (ticket.count('class="rule"'), "So." in ticket, "So." in key) == (3, False, True)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (f"{HEAD.replace(' A lesson', '')}{STEP}:::\n", "an id, a title, and aims, needs and steps"),
        (f":::{{lesson}} l A lesson\n{STEP}:::\n", "an id, a title, and aims, needs and steps"),
        (":::{lesson} l A lesson\naims: [a]\nsteps: [b]\n:::\n", "needs is missing"),
        (f"{HEAD.replace('[do it]', '[]')}{STEP}:::\n", "aims: expected a list"),
        (f"{HEAD}{STEP}{STEP}:::\n", "it rises from step to step"),
        (f"{HEAD}- {{minute: soon, do: x}}\n:::\n", "minute: expected a whole number"),
        (f"{HEAD}- {{minute: 0}}\n:::\n", "do is missing"),
        (f"{HEAD}- {{minute: 0, do: x, open: two}}\n:::\n", "there is no page for 'two'"),
        (f"{HEAD}- {{minute: 0, do: x, ask: y}}\n:::\n", "a question has an answer"),
        (":::{ticket} t\n- {ask: x, answer: y}\n:::\n", "an id, a title, and questions"),
        (":::{ticket} t T\n- {ask: x}\n:::\n", "answer is missing"),
        (":::{handouts}\n- {claim: Z-99, change: x, refuted: y}\n:::\n", "there is no claim 'Z-99'"),
        (":::{sheets} one\n:::\n", "no text of its own"),
        (":::{room} enter\n:::\n", "one of open, join, not 'enter'"),
    ],
)
def test_a_mistake_is_found(body: str, complaint: str) -> None:
    with pytest.raises(BuildError, match=complaint):
        rendered(body)
