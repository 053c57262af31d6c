"""The page of claims: its filter, its cards, and every button that shows what decides a card."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.pages.data import claims
from app.pages.data.claims import Claim
from sims.paths import CONTENT
from tests.browser.conftest import watch
from tests.browser.reader import violations
from tests.tiers import first
from tools.local_server import PATIENCE, Server

CLAIMS = claims.read(CONTENT / "claims.yaml")
CHECKED = [claim for claim in CLAIMS.cards.values() if claim.link()]
PAGES = sorted({claim.check["page"] for claim in CHECKED if claim.check})

IN_STATE = """([id, wanted]) => {
    const live = window.simulations?.get(id)?.live
    const same = (one, other) => one === other || Number(one) === Number(other)
    return Boolean(live?.values) && Object.entries(wanted).every(([name, text]) => same(live.values[name], text))
}"""
"""Whether a figure shows these values of its controls"""


def settings_of(claim: Claim) -> dict[str, str]:
    """What the link of a card asks of its simulation, as texts."""
    return {
        name.partition(".")[2]: text for name, text in parse_qsl(urlsplit(claim.link()).query) if name.partition(".")[2]
    }


HREFS = "all => Object.fromEntries(all.map(link => [link.closest('.claim').id, link.href]))"


@pytest.fixture(scope="module")
def hrefs(browser: Browser, server: Server) -> dict[str, str]:
    """Card → where its button leads."""
    page = browser.new_page()
    page.set_default_navigation_timeout(PATIENCE)  # every chapter is made for it
    page.goto(f"{server.url}/claims")
    links: dict[str, str] = page.locator(".claim a.show").evaluate_all(HREFS)
    page.close()
    return links


def test_a_card_with_a_simulation_has_a_button(hrefs: dict[str, str]) -> None:
    assert list(hrefs) == [claim.id for claim in CHECKED]


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", first(1, PAGES))
def test_every_button_opens_its_simulation_in_the_state_of_the_card(
    page: Page, hrefs: dict[str, str], slug: str
) -> None:
    page.set_default_timeout(PATIENCE)
    for claim in CHECKED:
        assert claim.check is not None
        if claim.check["page"] == slug:
            name = claim.check["simulation"]
            page.goto(hrefs[claim.id])
            page.wait_for_function(IN_STATE, arg=[name, settings_of(claim)])
            expect(page.locator(f"figure#{name} .notes")).to_be_hidden()
            expect(page.locator(f"figure#{name}")).to_be_in_viewport()


STORE = "claims => localStorage.setItem('answers', JSON.stringify({claims}))"


def card(page: Page, name: str) -> Locator:
    return page.locator(f".claim#{name}")


def test_a_button_is_there_once_the_card_is_judged(page: Page) -> None:
    page.goto("claims#B-01")
    show = card(page, "B-01").get_by_role("link", name="Show it")
    expect(show).not_to_be_visible()
    card(page, "B-01").get_by_text("It holds", exact=True).click()
    reason = card(page, "B-01").locator(".check > p").nth(1).inner_text()
    verdict = CLAIMS.cards["B-01"].verdict.capitalize()
    expect(card(page, "B-01").get_by_role("status")).to_have_text(f"{verdict}. {reason}", use_inner_text=True)
    expect(card(page, "B-01")).to_contain_text("expected 8.0\u00a0×\u00a010−4")
    expect(card(page, "B-01")).to_contain_text("test_b_01_negative_gains_let_a_residual_product_vanish")
    show.click()
    page.wait_for_url("**/gradient-paths?gradient_floor.gain=-0.3&gradient_floor.blocks=20&v=2#gradient_floor")


def visible_ids(page: Page) -> list[str]:
    return page.locator(".claim:not([hidden])").evaluate_all("all => all.map(card => card.id)")


def test_on_paper_a_check_is_at_the_end_unless_the_card_is_judged(page: Page) -> None:
    page.goto("claims")
    judged, other, away = (claim.id for claim in CHECKED[:3])
    page.locator(f"#{away}").evaluate("card => card.hidden = true")  # as the filter does
    page.locator(f"#{judged}").get_by_text("It holds", exact=True).click()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(f"#{judged} .check")).to_be_visible()
    expect(page.locator(f"#{other} .check")).to_be_hidden()
    expect(page.locator(".paper-answers .item")).to_have_count(len(CLAIMS.cards) - 2)
    expect(page.locator("a.show").locator("visible=true")).to_have_count(0)


def test_cards_are_chosen_by_words_verdict_topic_and_page_and_the_choice_is_in_the_address(page: Page) -> None:
    page.goto("claims")
    assert len(visible_ids(page)) == len(CLAIMS.cards)
    page.get_by_label("Topic").select_option("Gradients")
    page.get_by_label("Verdict").select_option("does not hold")
    expect(page.locator(".filter .shown")).to_have_text(f"{len(visible_ids(page))} of {len(CLAIMS.cards)} claims")
    assert visible_ids(page) == [
        claim.id for claim in CLAIMS.cards.values() if (claim.topic, claim.verdict) == ("B", "does not hold")
    ]
    expect(page.locator("h2#topic-B")).to_be_visible()
    expect(page.locator("h2#topic-A")).to_be_hidden()
    page.get_by_role("searchbox", name="Words").fill("paths PRODUCT second")
    assert visible_ids(page) == ["B-06"]
    page.reload()
    assert visible_ids(page) == ["B-06"]
    page.get_by_role("button", name="Show all").click()
    assert len(visible_ids(page)) == len(CLAIMS.cards)
    assert "?" not in page.url
    page.get_by_label("Treated in").select_option("landscape")
    assert {"D-09", "D-04"} <= set(visible_ids(page))
    assert "C-01" not in visible_ids(page)


@pytest.mark.exhaustive
def test_a_link_to_a_card_shows_it_whatever_was_chosen(page: Page) -> None:
    page.goto("claims?topic=B#C-01")
    expect(card(page, "C-01")).to_be_in_viewport()
    page.goto("claims?topic=B&verdict=nonsense")
    assert visible_ids(page) == [claim.id for claim in CLAIMS.cards.values() if claim.topic == "B"]
    page.get_by_role("main").locator("a[href='#C-01']").first.click()
    expect(card(page, "C-01")).to_be_in_viewport()


def test_a_verdict_that_a_link_of_version_1_names_chooses_the_one_of_today(page: Page) -> None:
    for former, today in (("conditional", "holds if"), ("wrong", "does not hold"), ("bug", "")):
        page.goto(f"claims?verdict={former}")
        assert visible_ids(page) == [claim.id for claim in CLAIMS.cards.values() if today in ("", claim.verdict)]


def test_a_merged_card_leads_to_its_successor(page: Page) -> None:
    page.goto("claims#B-16")
    expect(card(page, "B-19")).to_be_in_viewport()
    page.goto("claim-B-16")
    expect(card(page, "B-19")).to_be_visible()
    page.goto("claims#B-04")
    page.wait_for_url("**/history#errors-that-travel")


@pytest.mark.exhaustive
def test_judgments_stored_in_version_1_stay_and_those_of_cards_that_are_gone_harm_nothing(page: Page) -> None:
    page.goto("claims")
    page.evaluate(STORE, {"A-09": "fails", "E-10": "depends", "A-02": "fails", "B-01": "artifact"})
    page.reload()
    expect(page.locator("#A-09 input[value=fails]")).to_be_checked()
    expect(page.locator("#E-10 input[value=depends]")).to_be_checked()
    assert page.locator("#B-01 input:checked").count() == 0
    expect(page.locator(".score")).to_contain_text(f"2 of {len(CLAIMS.cards)}, and agreed with the check on 2.")
    page.goto("predictions")
    expect(page.locator(".judged")).to_contain_text(
        f"judged 3 of {len(CLAIMS.cards)} claims, and agreed with the check on 2"
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_cards_with_their_checks_pass_axe_and_fit(browser: Browser, server: Server, scheme: str, width: int) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, base_url=server.url, has_touch=width < 500
    )
    page = context.new_page()
    faults = watch(page, server.url)
    page.goto("claim-A-06")
    page.get_by_text("It holds if …", exact=True).click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto("claims")
    expect(page.locator("#A-06 input[value=depends]")).to_be_checked()
    page.evaluate("for (const input of document.querySelectorAll('.claim input[value=holds]')) input.checked = true")
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults.left() == []
    context.close()
