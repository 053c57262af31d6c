"""What a reader has read and answered: counted, taken along, brought back, erased; and a route that ends."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.pages.files.sources import HOME
from app.pages.markdown.prose import front_matter
from tests.browser.reader import violations
from tests.site import CLAIM_PAGES, SOURCES, site
from tests.tiers import first
from tools.local_server import PATIENCE

HOME_FILE = SOURCES.files()[HOME]
ROUTES = {
    route["name"]: route["pages"] for route in front_matter(HOME_FILE.read_text(encoding="utf-8"), HOME_FILE)["routes"]
}


@pytest.fixture(autouse=True)
def patience(page: Page) -> None:
    """Pages that speak of all others are made from all others, once."""
    page.set_default_timeout(PATIENCE)


def to_the_end(page: Page) -> None:
    """Scroll until the page counts as read."""
    page.locator("footer.site").scroll_into_view_if_needed()
    page.wait_for_function("() => JSON.parse(localStorage.answers ?? '{}').read?.[document.body.dataset.page]")


@pytest.mark.exhaustive
def test_answers_are_counted_beside_their_questions(page: Page) -> None:
    page.goto("degradation")
    quiz = page.locator(".quiz#q1")
    quiz.locator(".right input").check()
    page.goto("claims")
    claim = page.locator(".claim").first
    agrees = claim.get_attribute("data-agrees")
    claim.locator(f'input[value="{agrees}"]').check()
    page.goto("predictions")
    total = sum(len(site().page(slug).exercises) for slug in SOURCES.files())
    expect(page.locator(".overall")).to_have_text(
        f"You have answered 1 of {total} questions. Of 1 answer that could be checked, 1 came out as you said."
    )
    count = len(CLAIM_PAGES)
    expect(page.locator(".judged")).to_have_text(
        f"You have judged 1 of {count} claims, and agreed with the check on 1."
    )
    fold = page.locator("[data-of=degradation]")
    expect(fold.locator(".sum")).to_contain_text("1 as you said")
    fold.locator("summary").click()
    expect(fold.locator("[data-exercise=q1] .outcome")).to_have_text("as you said")
    fold.locator("[data-exercise=q1] a").click()
    expect(page.locator(".quiz#q1 .right .because")).to_be_visible()


@pytest.mark.exhaustive
def test_an_answer_in_another_tab_counts_at_once(page: Page) -> None:
    page.goto("predictions")
    expect(page.locator(".overall")).to_contain_text("none of")
    other = page.context.new_page()
    other.goto("degradation")
    other.locator(".quiz#q1 .wrong input").first.check()
    expect(page.locator(".overall")).to_contain_text("You have answered 1 of")


@pytest.mark.parametrize("width", first(1, [320, 1280]))
def test_everybody_can_look_at_their_answers(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("predictions")
    page.locator(".predicted summary").nth(1).click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def erase(page: Page) -> None:
    page.once("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        page.get_by_role("button", name="Erase them").click()
    # The page may note at once that its end is in view, and so that it was read: the reader is still there.
    assert set(page.evaluate("Object.keys(JSON.parse(localStorage.answers ?? '{}'))")) <= {"read"}


ANSWERED = "JSON.parse(localStorage.answers ?? '{}').degradation"


def test_answers_are_erased_by_a_second_press_and_come_back_by_undoing_it_or_as_a_file(
    page: Page, tmp_path: Path
) -> None:
    page.goto("degradation")
    page.locator(".quiz#q1 .wrong input").first.check()
    answered = page.evaluate(ANSWERED)
    assert "q1" in answered
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Erase them").click()
    assert page.evaluate(ANSWERED) == answered
    erase(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Undo erasing").click()
    assert page.evaluate(ANSWERED) == answered
    expect(page.get_by_role("button", name="Erase them")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export them").click()
    file = tmp_path / "answers.json"
    download.value.save_as(file)
    erase(page)
    page.goto("predictions")
    expect(page.locator(".overall")).to_contain_text("none of")
    bring(page, file)
    expect(page.locator(".overall")).to_contain_text("You have answered 1 of")
    expect(page.locator("[data-of=degradation] .sum")).to_contain_text("0 as you said")


def bring(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Import them").click()
    chooser.value.set_files(path)


def test_a_choice_kept_for_a_question_that_is_a_curve_now_is_no_answer(page: Page) -> None:
    page.goto("predictions")
    kept = {"degradation": {"p-curve": 2, "p-insert": 1}}
    page.evaluate("kept => localStorage.setItem('answers', JSON.stringify(kept))", kept)
    page.reload()
    expect(page.locator("[data-of=degradation] .sum")).to_contain_text("1 of ")
    expect(page.locator("[data-exercise=p-curve] .outcome")).to_be_empty()
    expect(page.locator("[data-exercise=p-insert] .outcome")).to_have_text("answered")


HOSTILE = {
    "no JSON": "<script>alert(1)</script>",
    "a list": "[]",
    "no answers": '{"answers": null}',
    "words for answers": '{"answers": "x"}',
    "other names": json.dumps({"answers": {"<b>": {"x": 1}, "a": {"<i>": 1}, "b": [1], "c": 5}}),
    "too deep": json.dumps({"answers": {"a": {"b": {"c": {"d": 1}}}}}),
    "too long": json.dumps({"answers": {"a": {"b": "x" * 3_000}}}),
    "a prototype": '{"answers": {"__proto__": {"polluted": true}, "a": {"__proto__": true}}}',
}


@pytest.mark.parametrize("text", first(2, HOSTILE.values()), ids=HOSTILE)
def test_what_is_no_such_file_changes_nothing(page: Page, tmp_path: Path, text: str) -> None:
    page.goto("predictions")
    (tmp_path / "wrong.json").write_text(text)
    bring(page, tmp_path / "wrong.json")
    expect(page.locator("[data-keep=import]")).to_have_text("This is not an exported file")
    assert page.evaluate("localStorage.answers ?? ''") == ""
    assert page.evaluate("({}).polluted") is None


@pytest.mark.exhaustive
def test_a_page_with_answers_of_other_kinds_is_whole(page: Page, tmp_path: Path) -> None:
    exercises = {"p-gap": "x", "q1": [1], "p-curve": 7, "p-1202": {"said": 1}}
    answers = {"degradation": exercises, "claims": {"A-01": [2]}, "missions": {"explorer.a": 3}, "read": {"a": "b"}}
    (tmp_path / "odd.json").write_text(json.dumps({"answers": answers}))
    page.goto("predictions")
    bring(page, tmp_path / "odd.json")
    expect(page.locator(".overall")).to_contain_text("You have answered")
    for slug in ("degradation", "claims", "explorer", ""):
        page.goto(slug)
        expect(page.locator("h1")).to_be_visible()


@pytest.mark.exhaustive
def test_a_route_is_followed_to_its_end(page: Page) -> None:
    stops = ROUTES["Builder"]
    page.goto("")
    path = page.locator(".path[data-route=Builder]")
    expect(path.locator(".lead")).to_contain_text("Begin with")
    path.locator("li a").first.click()
    route = page.locator("nav.following:visible")
    expect(route).to_contain_text("Your route: Builder")
    expect(route.locator("[aria-current]")).to_have_attribute("data-read", stops[0])
    to_the_end(page)
    expect(route.locator("[aria-current] .read-note")).to_have_text("read")
    read = dict.fromkeys(stops[:-1], True)
    page.evaluate("read => localStorage.setItem('answers', JSON.stringify({read}))", read)
    page.goto(stops[-1])
    expect(route).to_contain_text("The route ends here.")
    assert violations(page) == []
    to_the_end(page)
    page.goto("")
    expect(path.locator(".lead")).to_contain_text("Read to its end.")
    expect(page.locator(f"[data-progress={stops[0]}] .progress-note")).to_have_text("read")
    page.goto(stops[0])
    route.get_by_role("button", name="Leave it").click()
    expect(page.locator("nav.following:visible")).to_have_count(0)
