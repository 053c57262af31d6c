"""The questions of pages as cards for the page on which they come back."""

import re
from functools import cache
from urllib.parse import parse_qsl

import pytest

from app.pages.data.claims import JUDGMENTS
from app.pages.document.worksheet import Question
from app.pages.output.review import Card, cards
from sims.contract import parameters
from tests.site import html_of, site

PAGES = ("degradation", "shortcut", "gradient-paths", "landscape", "norm-placement")


@cache
def of(slug: str) -> dict[str, Card]:
    return {card.id: card for card in cards({slug: site().page(slug)}, {slug: "Chapter 2: Flow"})}


@pytest.mark.parametrize("slug", PAGES)
def test_every_question_of_a_page_is_a_card(slug: str) -> None:
    questions = [item for item in site().page(slug).worksheet if isinstance(item, Question)]
    assert list(of(slug)) == [question.id for question in questions]
    for question in questions:
        form = of(slug)[question.id].form
        assert f'id="{slug}-{question.id}"' in form
        assert (question.kind == "quiz") == ("data-answer" not in form)


@pytest.mark.parametrize("slug", PAGES)
def test_a_card_needs_nothing_of_its_page(slug: str) -> None:
    for card in of(slug).values():
        html = f"{card.lead}{card.form}{card.see}"
        assert "data-card" not in html
        assert "data-in-figure" not in html
        assert 'class="term"' not in html
        assert 'class="knob"' not in html
        assert "<output class=" not in html
        assert re.findall(r'href="[#?][^"]*"', html) == []


def test_a_prediction_leads_to_the_figure_that_answers_it() -> None:
    assert 'href="gradient-paths#paths"' in of("gradient-paths")["p-direct"].see
    assert of("degradation")["p-cure"].see == ""


def test_a_quiz_leads_to_the_state_that_its_author_names() -> None:
    assert "gradient-paths?paths.blocks=10&amp;paths.gain=-0.3" in of("gradient-paths")["q2"].see
    assert 'href="shortcut#identity"' in of("gradient-paths")["q-recall"].see


@pytest.mark.parametrize("slug", PAGES)
def test_a_state_that_is_named_exists(slug: str) -> None:
    for card in of(slug).values():
        for page, address, figure in re.findall(r'href="([^"?]*)\?([^"#]*)#([^"]*)"', card.see):
            values = dict(parse_qsl(address.replace("&amp;", "&")))
            values.pop("v")
            assert all(name.startswith(f"{figure}.") for name in values), card.id
            own = {name.partition(".")[2]: value for name, value in values.items()}
            settings, notes = parameters.read(type(site().page(page or slug).simulations[figure]), own)
            assert notes == [], card.id
            assert len(settings) == len(own)


def test_a_card_names_its_page_by_title_though_it_is_no_chapter() -> None:
    assert '<a href="field#p-moved">The field</a>' in html_of("review")


TEMPLATE = re.compile(r'<template data-page="claims" data-exercise="([^"]*)">(.*?)</template>', re.DOTALL)


def test_every_claim_is_a_card_whose_right_option_agrees_with_the_check() -> None:
    claims = site().claims.cards
    forms = dict(TEMPLATE.findall(html_of("review")))
    assert list(forms) == list(claims)
    for name, form in forms.items():
        right = re.search(r'<div class="answer right">.*?<span class="words">(.*?)</span>', form, re.DOTALL)
        assert right
        assert form.count('class="answer right"') == 1
        assert right[1] == JUDGMENTS[claims[name].judgment]
        assert f'href="claims#{name}"' in form
        assert ("See it in the figure" in form) == (claims[name].check is not None)
