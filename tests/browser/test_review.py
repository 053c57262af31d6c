"""Questions that come back, and the concept inventory: what a reader does there, and what stays in the browser."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.reader import violations
from tests.tiers import first
from tools.local_server import PATIENCE

LONG_AGO = 1_700_000_000_000
"""Milliseconds: whatever was answered then is due"""

ALIVE = "html[data-alive]"


@pytest.fixture(autouse=True)
def patience(page: Page) -> None:
    """These pages are made from all others, once."""
    page.set_default_timeout(PATIENCE)


def open_review(page: Page, *names: str) -> Locator:
    """The page after these questions were answered long ago, wrongly; the first of them is asked."""
    page.goto("review")
    met = {name: {"at": LONG_AGO + index, "right": False} for index, name in enumerate(names)}
    page.evaluate("met => localStorage.setItem('answers', JSON.stringify({met}))", met)
    page.reload()
    page.locator(ALIVE).wait_for()
    return page.locator(".review-question .exercise")


def stored(page: Page) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads(page.evaluate("localStorage.answers ?? '{}'"))
    return answers


@pytest.mark.parametrize("width", first(1, [390, 1280]))
def test_questions_come_back_and_are_answered_with_keys_alone(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    question = open_review(page, "shortcut.q-recall", "degradation.p-insert")
    expect(page.locator(".review-state")).to_have_text("2 questions to go.")
    expect(page.locator(".review-origin")).to_contain_text("Chapter 1")
    question.locator("input").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    expect(question.locator("input").first).to_be_focused()
    expect(question.locator("input:checked")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.locator(".review-spoken")).to_contain_text("It is: Training does not find weights")
    expect(question.locator(".right .because")).to_be_visible()
    expect(page.locator(".review-see a").first).to_have_attribute("href", "degradation#degradation")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".review-state")).to_have_text("It comes back tomorrow. 1 question to go.")
    expect(question).to_be_focused()
    assert violations(page) == []
    question.locator("input").first.focus()
    page.keyboard.press("Space")
    question.get_by_role("button", name="This is my answer").press("Enter")
    expect(page.get_by_role("button", name="I knew it")).to_be_focused()
    page.get_by_role("button", name="It was easy").press("Enter")
    expect(page.locator(".review-state")).to_contain_text(
        "Nothing is due. The next of 2 questions comes back tomorrow."
    )
    cards = stored(page)["cards"]
    assert cards["degradation.p-insert"]["due"] > cards["shortcut.q-recall"]["due"] > LONG_AGO
    assert "degradation" not in stored(page), "what its page keeps is for the page to say"
    page.reload()
    expect(page.locator(".review-state")).to_contain_text("Nothing is due.")


@pytest.mark.exhaustive
def test_a_claim_comes_back_with_its_verdict_to_guess(page: Page) -> None:
    question = open_review(page, "claims.A-04")
    expect(page.locator(".review-origin")).to_have_text("Claim A-04")
    expect(question).to_contain_text("Is it true? “Vanishing gradients are the root cause of degradation.”")
    question.get_by_label("It holds", exact=True).check()
    expect(page.locator(".review-spoken")).to_contain_text("It does not hold. Networks can also degrade")
    expect(question.locator(".right .because")).to_be_visible()
    expect(page.locator(".review-see a").first).to_have_attribute("href", re.compile("^degradation.*#failures$"))
    assert violations(page) == []
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".review-state")).to_contain_text("Nothing is due.")
    page.goto("degradation")
    expect(page.locator(".due")).to_be_hidden()
    assert stored(page)["met"]["claims.A-04"]["right"] is False, "what was answered first stays"


@pytest.mark.exhaustive
def test_a_curve_is_drawn_again_and_a_question_may_be_unknown(page: Page) -> None:
    question = open_review(page, "degradation.p-curve", "gradient-paths.p-direct")
    commit = question.get_by_role("button", name="This is my answer")
    expect(commit).to_be_disabled()
    for handle in question.get_by_role("slider").all():
        handle.press("ArrowUp")
    commit.click()
    expect(question.locator(".yours")).to_contain_text("you were off by")
    page.locator(".review-ratings .primary").click()
    question.get_by_text("I do not know").click()
    expect(question.locator(".because")).to_be_visible()
    expect(page.get_by_role("button", name="Next question")).to_be_focused()


def test_what_was_answered_goes_to_anki_and_to_a_calendar(page: Page, tmp_path: Path) -> None:
    open_review(page, "shortcut.q-recall", "degradation.p-curve", "norm-placement.p-trains")
    texts = {}
    for name in ("Cards for Anki", "Calendar entries"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        download.value.save_as(tmp_path / "file")
        texts[name] = (tmp_path / "file").read_text(encoding="utf-8")
    lines = texts["Cards for Anki"].splitlines()
    assert lines[0] == "#separator:tab"
    notes = [line.split("\t") for line in lines if not line.startswith("#")]
    assert sorted(note[0] for note in notes) == [
        '"skip-connections.degradation.p-curve"',
        '"skip-connections.norm-placement.p-trains"',
        '"skip-connections.shortcut.q-recall"',
    ]
    assert all(len(note) == 4 and page.url.rpartition("/")[0] in note[2] for note in notes)
    assert texts["Calendar entries"].count("BEGIN:VEVENT") == 1
    assert "3 questions" in texts["Calendar entries"]


def test_a_page_without_answers_or_storage_says_so(page: Page) -> None:
    page.goto("review")
    state = page.locator(".review-state")
    expect(state).to_contain_text("you have answered no question")
    expect(state.get_by_role("link")).to_have_attribute("href", "degradation")
    expect(page.get_by_role("button", name="Cards for Anki")).to_be_hidden()
    assert violations(page) == []
    refuse = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('SecurityError') }})"
    page.add_init_script(refuse)
    page.reload()
    expect(state).to_contain_text("This browser keeps nothing for this site")


def test_a_chapter_says_at_its_end_that_questions_are_due(page: Page) -> None:
    page.goto("degradation")
    page.locator(ALIVE).wait_for()
    expect(page.locator(".due")).to_be_hidden()
    page.locator(".quiz#q1 .wrong input").first.check()
    assert stored(page)["met"]["degradation.q1"]["right"] is False
    page.locator(".quiz#q1 .right input").check()
    assert stored(page)["met"]["degradation.q1"]["right"] is False, "the first answer counts"
    page.evaluate(
        """long => {
            const answers = JSON.parse(localStorage.answers)
            answers.met['degradation.q1'].at = long
            localStorage.answers = JSON.stringify(answers)
        }""",
        LONG_AGO,
    )
    page.reload()
    expect(page.locator(".due")).to_be_visible()


def answer_all(page: Page, right: bool) -> None:
    for item in page.locator("form .item").all():
        chosen = item.locator("input[data-right]" if right else "input:not([data-right])").first
        chosen.check()
    page.get_by_role("button", name="Show what I know").click()


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", first(1, [390, 1280]))
def test_two_rounds_show_what_was_learned(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("inventory")
    page.get_by_role("button", name="First round").click()
    expect(page.locator(".inventory-open")).to_have_text("12 still to answer")
    expect(page.get_by_role("button", name="Show what I know")).to_be_disabled()
    assert violations(page) == []
    page.locator("form .item input").first.check()
    page.reload()
    page.get_by_role("button", name="First round").click()
    expect(page.locator(".inventory-open")).to_have_text("11 still to answer")
    answer_all(page, right=False)
    expect(page.locator(".inventory-state")).to_contain_text("You know 0 of 12.")
    expect(page.locator(".inventory-reasons")).to_be_hidden()
    expect(page.locator(".inventory-concepts .again:visible")).to_have_count(12)
    page.get_by_role("button", name="Second round").click()
    answer_all(page, right=True)
    expect(page.locator(".inventory-state")).to_contain_text("You learned 12, and knew 0 before.")
    expect(page.locator(".inventory-concepts .rounds").first).to_have_text("First wrong, then right. Learned.")
    expect(page.locator(".inventory-concepts .again:visible")).to_have_count(0)
    expect(page.locator(".inventory-reasons .item")).to_have_count(24)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("button", name="First round")).to_be_visible()
    assert "concepts" not in stored(page)
