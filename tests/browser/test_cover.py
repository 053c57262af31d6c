"""A picture that holds the answer to a prediction stays covered until the reader has answered, or chosen to look."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tools.local_server import PATIENCE

LINK = "degradation?degradation.depth=8&v=1"


@pytest.fixture
def figure(page: Page) -> Locator:
    page.set_default_timeout(PATIENCE)
    page.goto("degradation")
    return arrived(page)


def arrived(page: Page) -> Locator:
    figure = page.locator("figure#degradation")
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".stage")).to_have_attribute("data-state", "ready")
    return figure


def expect_covered(figure: Locator) -> None:
    expect(figure.get_by_role("button", name="Show it now")).to_be_visible()
    expect(figure.locator(".live")).to_be_hidden()
    assert figure.locator(".host").evaluate("host => host.inert")


def test_the_space_bar_uncovers_what_fills_the_screen(page: Page) -> None:
    page.goto("degradation?present=degradation")
    figure = arrived(page)
    expect_covered(figure)
    page.keyboard.press(" ")
    expect(figure.locator(".cover")).to_have_count(0)
    expect(figure.locator(".live")).to_be_visible()
    expect(figure).not_to_have_attribute("data-status", "running")


def expect_open(figure: Locator) -> None:
    expect(figure.locator(".cover")).to_have_count(0)
    expect(figure.locator(".live")).to_contain_text("training error")
    assert not figure.locator(".host").evaluate("host => host.inert")


def test_it_is_covered_until_the_reader_wants_to_see_it(figure: Locator) -> None:
    expect_covered(figure)
    figure.get_by_role("button", name="Show it now").click()
    expect_open(figure)


def test_who_skips_the_prediction_sees_it(figure: Locator) -> None:
    figure.page.locator("#p-curve .truth > summary").click()
    expect_open(figure)


def test_a_number_in_the_text_is_a_choice_to_look(figure: Locator) -> None:
    knob = figure.page.locator("[data-knob='degradation.depth']").first
    knob.scroll_into_view_if_needed()
    knob.press("ArrowLeft")
    expect_open(figure)


def test_an_answer_is_remembered(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto("degradation")
    question = page.locator("#p-insert")
    question.locator("label").first.click()
    question.get_by_role("button", name="This is my prediction").click()
    page.reload()
    page.locator("figure#insert_identity").scroll_into_view_if_needed()
    expect(page.locator("figure#insert_identity .stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("figure#insert_identity .cover")).to_have_count(0)


def test_a_link_to_a_state_shows_that_state(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(LINK)
    expect_open(arrived(page))


def test_all_answers_are_shown_at_once_and_hidden_again(figure: Locator) -> None:
    page = figure.page
    figure.get_by_role("button", name="Show all answers").click()
    expect_open(figure)
    expect(page.locator("figure .cover")).to_have_count(0)
    expect(page.locator("details.truth:not([open])")).to_have_count(0)
    page.goto("shortcut")
    expect(page.locator("details.truth:not([open])")).to_have_count(0)
    with page.expect_navigation():
        page.locator("footer").get_by_role("button", name="Hide answers again").click()
    expect(page.locator("details.truth:not([open])").first).to_be_attached()
    page.goto("degradation")
    expect_covered(arrived(page))
