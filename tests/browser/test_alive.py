"""What makes a page live comes behind its words; what a reader does meanwhile is heard when it is there."""

import pytest
from playwright.sync_api import Page, Route, expect

from tools.figure_on_page import OnPage

HELD = "**/article.js"


@pytest.fixture
def held(page: Page) -> list[Route]:
    """Requests for the script that hears most of what is pressed, which are let go by `go_on`."""
    routes: list[Route] = []
    page.route(HELD, lambda route: routes.append(route))
    return routes


def go_on(page: Page, held: list[Route]) -> None:
    page.wait_for_function("() => performance.getEntriesByType('paint').length")
    while not held:
        page.evaluate("() => new Promise(requestAnimationFrame)")
    held[0].continue_()
    page.wait_for_function("() => document.documentElement.dataset.alive !== undefined")


def test_an_early_click_is_handled_once(page: Page, held: list[Route]) -> None:
    page.goto("degradation", wait_until="load")
    theme = page.get_by_role("button", name="Dark colors")
    theme.click()
    theme.click()  # impatient, not twice
    assert page.locator("html").get_attribute("data-theme") is None
    go_on(page, held)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    theme.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.exhaustive
def test_a_control_that_is_ready_handles_a_click_once(page: Page, held: list[Route]) -> None:
    page.goto("", wait_until="load")
    opening = page.locator(".opening")
    opening.scroll_into_view_if_needed()
    opening.get_by_role("button", name="Pause here").click()
    assert opening.get_by_role("button", name="Pause here").count() == 1
    go_on(page, held)
    expect(opening.get_by_role("button", name="Let them write")).to_be_visible()


@pytest.mark.exhaustive
def test_an_early_choice_survives_loading(page: Page, held: list[Route]) -> None:
    page.goto("degradation", wait_until="load")
    quiz = page.locator(".quiz:visible").first
    quiz.locator("label").nth(1).click()
    go_on(page, held)
    answers = page.evaluate("() => JSON.parse(localStorage.answers)")
    held.clear()
    page.reload(wait_until="load")
    quiz.locator("label").nth(0).click()
    go_on(page, held)
    assert quiz.locator("input").nth(0).is_checked()
    assert page.evaluate("() => JSON.parse(localStorage.answers)") != answers


@pytest.mark.exhaustive
def test_the_search_key_works_once_the_search_has_loaded(page: Page, held: list[Route]) -> None:
    page.goto("glossary", wait_until="load")
    page.keyboard.press("/")
    go_on(page, held)
    expect(page.get_by_role("combobox", name="Search the site")).to_be_focused()
    expect(page.get_by_role("combobox", name="Search the site")).to_have_value("")


def test_a_script_that_fails_to_load_does_not_stop_the_others(page: Page) -> None:
    page.route("**/presets.js", lambda route: route.abort())
    page.faults.expected = ("presets.js", "ERR_FAILED")  # type: ignore[attr-defined]
    page.goto("degradation")
    OnPage(page, "degradation").ready()


def test_early_toggles_and_the_focus_are_replayed(page: Page, held: list[Route]) -> None:
    page.goto("degradation", wait_until="load")
    prediction = page.locator("#p-curve")
    prediction.get_by_text("Skip and show").press("Enter")
    term = page.locator("a.term[data-card=term-initialization]").first
    term.focus()
    go_on(page, held)
    expect(prediction.locator(".truth > .because")).to_be_visible()
    expect(page.locator("#term-initialization")).to_be_visible()


@pytest.mark.exhaustive
def test_a_browser_without_paint_timing_loads_the_scripts_too(page: Page) -> None:
    page.add_init_script("delete globalThis.PerformanceObserver")
    page.goto("degradation")
    OnPage(page, "degradation").ready()
