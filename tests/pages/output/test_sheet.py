"""Sheets for paper: every question once, every answer on the other sheet, and no answer on the first."""

import re

import pytest

from app.pages.document.worksheet import FigureStill, Question
from tests.site import CHAPTERS, site


def halves(slug: str) -> tuple[str, str]:
    """The sheet of questions and the sheet of answers."""
    html = str(site().page(f"sheet-{slug}").html)
    questions, answers = html.split('<section class="paper answers"')
    return questions, answers


@pytest.mark.parametrize("slug", CHAPTERS)
def test_every_question_is_on_both_sheets_under_the_same_number(slug: str) -> None:
    items = [item for item in site().page(slug).worksheet if isinstance(item, Question)]
    assert sorted(item.id for item in items) == sorted(site().page(slug).exercises)
    questions, answers = halves(slug)
    for number, item in enumerate(items, 1):
        assert f'id="question-{item.id}"><span class="number">{number}</span>' in questions
        assert f'id="answer-{item.id}"><span class="number">{number}</span>' in answers


@pytest.mark.parametrize("slug", CHAPTERS)
def test_the_first_sheet_gives_nothing_away(slug: str) -> None:
    questions, answers = halves(slug)
    assert 'class="right"' not in questions
    assert 'class="because"' not in questions
    assert not re.search(r'<svg class="paper-plot"(?:(?!</svg>).)*<circle', questions, re.DOTALL)
    for item in site().page(slug).worksheet:
        if isinstance(item, FigureStill) and item.image:
            in_questions, in_answers = (item.image in half for half in (questions, answers))
            assert (in_questions, in_answers) == (not item.covered, bool(item.covered)), item.id


@pytest.mark.parametrize("slug", CHAPTERS)
def test_the_answers_are_those_of_the_page(slug: str) -> None:
    page, (_questions, answers) = site().page(slug), halves(slug)
    own = re.compile(rf'href="(?:{slug})?(?=[#?])')
    for item in page.worksheet:
        if isinstance(item, Question):
            assert own.sub('href="', str(item.because)) in own.sub('href="', answers)
            assert item.options or item.answer or item.curve
    assert site().page(f"sheet-{slug}").long == page.long


@pytest.mark.parametrize("slug", CHAPTERS)
def test_an_option_ends_before_its_reason_begins(slug: str) -> None:
    for option in re.findall(r'<li class="(?:right|wrong)"><strong>(.*?)</strong> \S', halves(slug)[1]):
        assert re.sub(r"<[^>]*>", "", option)[-1] in ".!?"


def test_the_lead_of_a_prediction_comes_before_it() -> None:
    questions, answers = halves("degradation")
    assert re.search(
        r'<div class="lead"><p>Begin with the argument.*</div>\s*<h3 id="question-p-insert">', questions, re.DOTALL
    )
    assert "Begin with the argument" not in answers
    assert "<output" not in "".join(map("".join, map(halves, CHAPTERS)))


def test_a_link_within_the_page_leads_to_the_page() -> None:
    assert not re.search(r'<a\b[^>]* href="[#?]', "".join(map("".join, map(halves, CHAPTERS))))


def test_there_is_no_sheet_of_what_does_not_teach() -> None:
    with pytest.raises(KeyError):
        site().page("sheet-claims")
