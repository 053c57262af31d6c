"""The table of works: its filter, its orders, its cards on a phone, and what is left of it without scripts."""

import pytest
from playwright.sync_api import Browser, Page, expect

from app.pages.data import field
from sims.paths import CONTENT
from tools.local_server import Server

WORKS = field.read(CONTENT / field.FILE)


def visible_ids(page: Page) -> list[str]:
    return page.locator(".work:not([hidden])").evaluate_all("all => all.map(work => work.id)")


def test_works_are_chosen_and_ordered_and_the_choice_is_in_the_address(page: Page) -> None:
    page.goto("field")
    assert visible_ids(page) == [work.id for work in WORKS]
    page.locator("[name=kind]").select_option("several lanes")
    page.locator("[name=shipped]").select_option("some model has it")
    chosen = [work.id for work in WORKS if work.kind == "lanes" and work.shipped]
    assert visible_ids(page) == chosen
    expect(page.locator(".filter .shown")).to_have_text(f"{len(chosen)} of {len(WORKS)} works")
    page.reload()
    assert visible_ids(page) == chosen
    page.get_by_role("button", name="Show all", exact=True).click()
    assert "?" not in page.url
    page.locator("[name=tried]").select_option("someone has: not confirmed")
    assert visible_ids(page) == [work.id for work in WORKS if "refuted" in work.outcomes]
    page.get_by_role("button", name="Show all", exact=True).click()
    page.locator("[name=order]").select_option("oldest first")
    assert visible_ids(page)[0] == min(WORKS, key=lambda work: work.year).id
    page.locator("[name=order]").select_option("most tried first")
    assert visible_ids(page) == [work.id for work in WORKS]
    page.get_by_role("searchbox", name="Words").fill("SINKHORN pro")
    assert "mhc" in visible_ids(page)


@pytest.mark.exhaustive
def test_differences_wait_for_the_prediction_above_them(page: Page) -> None:
    page.goto("field")
    first, second = page.locator(".forest").all()
    unanswered, answered = first.locator(".unanswered"), first.locator(".answered")
    expect(unanswered.get_by_text("Keel", exact=False)).to_be_visible()
    expect(unanswered.locator(".noise").first).to_be_visible()
    expect(answered).to_be_hidden()
    words = page.get_by_text("Hyper-connections are ahead of plain Pre-LN")
    expect(words).to_be_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(answered).to_be_hidden()
    expect(page.locator(".paper-answers .forest .answered")).to_have_count(2)
    expect(page.locator(".paper-answers .forest .answered").first).to_be_visible()
    expect(words).to_have_count(2)
    expect(words.first).to_be_hidden()
    expect(words.last).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    question = page.locator("#p-designs")
    question.get_by_role("spinbutton").fill("7")
    question.get_by_role("button", name="This is my prediction").click()
    expect(answered.locator("circle").first).to_be_visible()
    expect(unanswered).to_be_hidden()
    expect(second.locator(".answered")).to_be_hidden()
    expect(words).to_be_visible()
    page.reload()
    expect(answered).to_be_visible()


@pytest.mark.exhaustive
def test_a_link_to_a_work_shows_it_whatever_was_chosen(page: Page) -> None:
    page.goto("field?kind=depth#mhc")
    expect(page.locator("#mhc")).to_be_in_viewport()


@pytest.mark.exhaustive
def test_without_scripts_it_is_a_table_and_on_a_phone_cards(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        base_url=server.url, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto("field")
    expect(page.locator(".filter")).to_be_hidden()
    for answered in page.locator(".forest .answered").all():
        expect(answered).to_be_visible()
    expect(page.locator("#mhc")).to_contain_text("DeepSeek-V4")
    box = page.locator("#mhc").bounding_box()
    assert box
    assert box["width"] <= 390
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator("#mhc > *").count() == 6
    context.close()


def test_the_table_has_the_width_that_its_columns_need(page: Page) -> None:
    page.goto("field")
    for width, least in ((1440, 1300), (390, 330)):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("least => document.querySelector('.works table').offsetWidth >= least", arg=least)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
