"""The search: by key, by pointer and by touch, with arrow keys and Enter, on a phone, by ear, and without a server."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.conftest import watch
from tests.browser.reader import violations
from tests.tiers import first
from tools.local_server import Server

FETCHED = "() => performance.getEntriesByType('resource').some(entry => entry.name.endsWith('/search.json'))"


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search the site")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="What was found").get_by_role("option")


def names(page: Page) -> list[str]:
    return options(page).locator(".name").all_inner_texts()


def test_it_is_used_with_the_keyboard_alone(page: Page) -> None:
    page.goto("glossary")
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("")
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("65 million times")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    expect(options(page).first).to_contain_text("Pre-LN gradients are 65 million times larger")
    expect(field(page)).to_have_attribute("aria-expanded", "true")
    expect(field(page)).to_have_attribute("aria-activedescendant", "search-found-0")
    expect(page.locator("dialog.search [role=status]")).to_have_text(re.compile(r"\d+ places?\."))
    page.keyboard.press("ArrowDown")
    expect(options(page).nth(1)).to_have_attribute("aria-selected", "true")
    expect(options(page).first).to_have_attribute("aria-selected", "false")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(options(page).last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/claims#C-01")
    expect(page.locator("#C-01")).to_be_in_viewport()


def test_what_is_typed_before_it_has_loaded_is_not_lost(page: Page) -> None:
    held: list[Route] = []
    page.goto("glossary")
    page.route("**/search/search.js*", lambda route: held.append(route))
    page.keyboard.type("/stream")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    expect(field(page)).to_have_value("stream")
    expect(options(page).first).to_contain_text("stream")
    page.keyboard.type("s")
    expect(field(page)).to_have_value("streams")


@pytest.mark.parametrize("held", ["search/search.js", "search.json"])
def test_enter_waits_for_the_results(page: Page, held: str) -> None:
    """A reader who types fast has pressed Enter before the script of the search, or its index, has arrived."""
    routes: list[Route] = []
    page.goto("glossary")
    page.route(f"**/{held}*", lambda route: routes.append(route))
    page.keyboard.type("/rezero")
    page.keyboard.press("Enter")
    while not routes:
        page.wait_for_timeout(10)
    routes[0].continue_()
    page.wait_for_url(re.compile("#"))
    expect(page.locator(":target")).to_contain_text("ReZero")


def test_escape_closes_it_and_the_focus_is_where_it_was(page: Page) -> None:
    page.goto("glossary")
    link = page.get_by_role("navigation", name="Letters").get_by_role("link").first
    link.focus()
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.type("norm")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.search")).not_to_be_visible()
    expect(link).to_be_focused()


@pytest.mark.exhaustive
def test_results_with_some_of_the_words_follow_those_with_all(page: Page) -> None:
    page.goto("degradation")
    page.get_by_role("button", name="Search").click()
    status = page.locator("dialog.search [role=status]")
    field(page).fill("linnainmaa checkpointing")
    expect(status).to_have_text(re.compile(r"^No place has all of these words\. .*\d+ places\."))
    field(page).fill("linnainmaa")
    expect(status).to_have_text(re.compile(r"^\d+ places?\."))


@pytest.mark.exhaustive
def test_a_result_on_the_same_page_is_scrolled_to(page: Page) -> None:
    page.goto("degradation")
    page.get_by_role("button", name="Search").click()
    field(page).fill("a factor for every layer")
    options(page).first.click()
    expect(page.locator("dialog.search")).not_to_be_visible()
    expect(page.locator("#w-default")).to_be_in_viewport()
    assert page.url.endswith("degradation#w-default")


FOUND = [
    ("loss landscape", "Page", "The loss landscape"),
    ("sixty-five million", "Section", "Sixty-five million"),
    ("layernorm", "Glossary", "LayerNorm"),
    ("leyer norm", "Glossary", "LayerNorm"),
    ("he2015", "Reference", "Deep Residual Learning for Image Recognition"),
    ("A-04", "Claim", "Vanishing gradients are the root cause of degradation."),
    ("every factor of rezero", "Figure", "Every factor of ReZero, while it learns"),
    ("what batchnorm does to the gradient", "Worked example", "What BatchNorm does to the gradient"),
    ("vanishng gradiemt", "Glossary", "vanishing gradient"),
]
"""What is searched for, and the kind and name of what has to be among the first three results"""


def test_every_kind_of_entry_is_a_result(page: Page) -> None:
    page.goto("numbers")
    page.keyboard.press("/")
    for query, kind, name in FOUND:
        field(page).fill(query)
        hit = options(page).filter(has_text=name).filter(has=page.locator(".sort", has_text=kind)).first
        expect(hit).to_be_visible()
        assert any(title.startswith(name) for title in names(page)[:3]), query


@pytest.mark.exhaustive
def test_a_search_without_results_says_so(page: Page) -> None:
    page.goto("numbers")
    page.keyboard.press("/")
    field(page).fill("qqqqqqqq")
    expect(page.locator("dialog.search [role=status]")).to_have_text("Nothing has these words.")
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(field(page)).to_be_focused()


@pytest.mark.exhaustive
def test_a_slash_that_is_typed_elsewhere_and_one_that_is_switched_off_stay_slashes(page: Page) -> None:
    page.goto("numbers")
    page.evaluate("document.querySelector('main').prepend(document.createElement('textarea'))")
    text = page.locator("textarea")
    text.press_sequentially("1/2")
    expect(text).to_have_value("1/2")
    page.get_by_role("button", name="Search").click()
    page.get_by_label("the key / opens this").uncheck()
    page.get_by_role("button", name="Close").click()
    text.evaluate("element => element.blur()")
    page.keyboard.press("/")
    expect(page.locator("dialog.search")).not_to_be_visible()


def test_nothing_of_it_is_fetched_before_somebody_wants_it(page: Page) -> None:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto("glossary")
    page.evaluate("document.fonts.ready")
    assert not any("search.json" in url or "minisearch" in url or url.endswith("/search.js") for url in urls)
    page.get_by_role("button", name="Search").hover()
    page.wait_for_function(FETCHED)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("scheme", "width"), first(1, [("dark", 320), ("light", 1280), ("dark", 1280), ("light", 390)])
)
def test_it_fits_every_screen_and_passes_axe(browser: Browser, server: Server, scheme: str, width: int) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, base_url=server.url, has_touch=width < 500
    )
    page = context.new_page()
    faults = watch(page, server.url)
    page.goto("shortcut")
    button = page.get_by_role("button", name="Search")
    button.tap() if width < 500 else button.click()
    assert violations(page) == []
    field(page).fill("residual stream")
    expect(options(page).nth(3)).to_be_attached()
    assert violations(page) == []
    box = page.locator("dialog.search").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first = options(page).first
    first.tap() if width < 500 else first.click()
    expect(page.locator("dialog.search")).not_to_be_visible()
    assert faults.left() == []
    context.close()
