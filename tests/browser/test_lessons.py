"""Lessons in a browser: slides with notes that print one to a page, and the link for what is wrong."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.reader import violations
from tools.lesson_times import PLANS, RATE, read, steps
from tools.local_server import Server

PAGES = re.compile(rb"/Type\s*/Page\b(?!s)")


def test_slides_show_their_notes_and_print_one_to_a_page(page: Page) -> None:
    page.goto("slides-lesson-20")
    slides = page.locator(".slide")
    notes = page.locator(".notes").first
    expect(notes).to_be_hidden()
    page.get_by_label("Show and print notes").check()
    expect(notes).to_be_visible()
    assert len(PAGES.findall(page.pdf(prefer_css_page_size=True))) == slides.count()


def test_every_press_of_a_presenter_shows_one_slide_and_nothing_of_the_next(page: Page) -> None:
    """Half a slide further, the answer would be on the screen together with its question."""
    page.goto("slides-lesson-20")
    for slide in page.locator(".slide").all()[1:5]:
        page.keyboard.press("PageDown")
        page.wait_for_function("slide => Math.abs(slide.getBoundingClientRect().top) < 1", arg=slide.element_handle())


def test_the_sheets_of_a_class_print_one_to_a_page_and_nothing_else(page: Page) -> None:
    page.goto("handouts")
    page.emulate_media(media="print")
    page.evaluate("document.documentElement.dataset.sheet = 'hand-out'")  # as the button does before it prints
    expect(page.locator(".hand-out")).to_have_count(8)
    expect(page.locator(".hand-out").first).to_be_visible()
    expect(page.locator("footer.site")).to_be_hidden()
    expect(page.locator("header.title")).to_be_hidden()
    expect(page.locator(".key")).to_be_hidden()


@pytest.mark.parametrize("path", ["handouts", "sheet-degradation"])
@pytest.mark.parametrize("published", ["", "https://example.org/skip/"])
def test_an_address_on_paper_is_whole(page: Page, server: Server, path: str, published: str) -> None:
    def head(route: Route) -> None:
        answer, link = route.fetch(), f'<link rel="canonical" href="{published}{path}">' if published else ""
        route.fulfill(response=answer, body=answer.text().replace("</head>", f"{link}</head>"))

    page.route(f"**/{path}", head)
    page.goto(path)
    page.emulate_media(media="print")
    for link in page.locator("a.address").all():
        name = link.get_attribute("href")
        expect(link).to_have_text(f"{published or server.url.rstrip('/') + '/'}{name}")
    expect(page.locator("a.address").first).to_be_attached()


def test_the_key_of_a_plan_opens(page: Page) -> None:
    page.goto("lesson-bet")
    key = page.locator("#lesson-20-answers")
    expect(key.locator("dl")).to_be_hidden()
    key.locator("summary").click()
    expect(key.locator("dt").first).to_be_visible()
    assert violations(page) == []


def test_what_is_wrong_is_sent_with_the_state_of_the_page(page: Page) -> None:
    """The server of the tests has no setting for it, so the page gets a link as one that has."""
    page.route(
        "**/teach?*",
        lambda route: route.fulfill(
            response=(answer := route.fetch()),
            body=answer.text().replace(
                "</footer>", '<a class="feedback" href="https://example.org/new?page=teach">x</a></footer>'
            ),
        ),
    )
    page.goto("teach?degradation.depth=20&v=2")
    expect(page.locator("html[data-alive]")).to_be_attached()
    link = page.locator("a.feedback")
    link.dispatch_event("contextmenu")
    address = link.get_attribute("href") or ""
    assert address.startswith("https://example.org/new?page=teach&state=http%3A%2F%2F")
    assert "degradation.depth%3D20" in address


@pytest.mark.exhaustive
@pytest.mark.parametrize("plan", PLANS)
def test_reading_takes_at_most_half_of_the_minutes_of_a_step(page: Page, plan: str) -> None:
    page.goto(PLANS[plan][0])
    for step in steps(page, plan):
        assert read(page, step).words / RATE <= step.minutes / 2, f"{plan}, minute {step.minute}"
