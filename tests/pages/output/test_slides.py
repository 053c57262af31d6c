"""Slides of a lesson: one file without scripts, in the order of the plan, and no result before its question."""

import re
from html.parser import HTMLParser

import pytest

from app.pages.data.site_url import MARK, with_base_url
from app.pages.document.page_context import LATER
from app.pages.files.sources import SLIDES
from tests.site import SOURCES, html_of, site
from tests.tiers import first

DECKS = sorted(SOURCES.decks(), key=lambda slug: slug != "slides-lesson-20")


class References(HTMLParser):
    """What a page asks a browser to load, and where its links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in ("href", "src"):
                self.loaded.append(value or "")


def slides(html: str) -> list[str]:
    return re.findall(r'<section class="slide.*?</section>', html, re.DOTALL)


@pytest.mark.parametrize("slug", first(2, DECKS))
def test_slides_are_one_file_without_scripts(slug: str) -> None:
    html = html_of(slug)
    references = References(html)
    assert "script" not in references.tags
    assert all(address.startswith("data:image/webp;base64,") for address in references.loaded)
    assert references.links
    assert all(address.startswith(MARK) for address in references.links)
    assert "<a " not in with_base_url(html, "")


@pytest.mark.parametrize("slug", first(2, DECKS))
def test_every_step_of_the_plan_has_a_slide_with_notes(slug: str) -> None:
    home, anchor = SOURCES.decks()[slug]
    (lesson,) = (plan for plan in site().page(home).lessons if plan.id == anchor)
    deck = slides(html_of(slug))
    minutes = [int(minute) for minute in re.findall(r"Minute (\d+)\n", "".join(deck))]
    assert minutes == [step.minute for step in lesson.steps]
    assert not any(LATER.search("".join(step.do for step in plan.steps)) for plan in site().page(home).lessons)
    assert all('<aside class="notes">' in slide for slide in deck)
    assert all(re.search(r"<h[12]>\S", slide) for slide in deck)


def test_a_result_comes_after_its_question() -> None:
    deck = slides(html_of("slides-lesson-20"))
    at = next(number for number, slide in enumerate(deck) if "how much do its outputs change?" in slide)
    question, solved = deck[at : at + 2]
    assert 'class="right"' not in question
    assert 'class="right"' in solved
    images = [re.findall(r'src="([^"]+)"', slide) for slide in (question, solved)]
    assert [len(drawings) for drawings in images] == [1, 1]
    assert images[0] != images[1]


def test_a_figure_keeps_its_result_until_its_prediction_is_answered() -> None:
    deck = slides(html_of("slides-lesson-language"))
    images = [re.findall(r'src="([^"]+)"', slide) for slide in deck]
    at = next(number for number, slide in enumerate(deck) if "Minute 0\n" in slide)
    question = next(number for number, slide in enumerate(deck) if "Minute 5\n" in slide)
    assert images[at] == images[question] != images[question + 1]
    assert images[question + 2] == images[question + 1]


def test_there_are_no_slides_of_what_is_no_lesson() -> None:
    with pytest.raises(KeyError):
        site().page(f"{SLIDES}nothing")
