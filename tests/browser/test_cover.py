"""A figure with a prediction shows no result until the reader has answered, or chosen to look."""

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.reader import shown_results
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE
from tools.studio import anchors

LINK = "degradation?degradation.depth=8&v=1"
SKIP = "Skip and show"


@pytest.fixture
def figure(page: Page) -> Locator:
    page.set_default_timeout(PATIENCE)
    page.goto("degradation")
    return OnPage(page, "degradation").arrived().figure


def expect_unanswered(figure: Locator) -> None:
    expect(figure).to_have_attribute("data-hidden", "")
    expect(figure.locator(".live")).to_be_hidden()
    assert figure.locator(".host").evaluate("host => host.inert")
    assert not shown_results(figure)


def expect_open(figure: Locator) -> None:
    expect(figure).not_to_have_attribute("data-hidden", "")
    expect(figure.locator(".live")).to_contain_text("training error")
    assert not figure.locator(".host").evaluate("host => host.inert")
    assert shown_results(figure)


def expect_seen(prediction: Locator) -> None:
    """A question whose answer can be seen has nothing that would take one."""
    expect(prediction.locator(".truth > .because")).to_be_visible()
    expect(prediction.locator(".truth > summary")).to_have_text("The answer")
    expect(prediction.locator(".commit, .how, .number-field, .confidence").filter(visible=True)).to_have_count(0)
    expect(prediction.locator("fieldset :is(input, button:not(.unfold)):enabled")).to_have_count(0)
    expect(prediction.locator(".handle[tabindex]").filter(visible=True)).to_have_count(0)


@pytest.mark.exhaustive
def test_the_space_bar_shows_what_fills_the_screen(page: Page) -> None:
    page.goto("degradation?present=p-curve")
    figure = OnPage(page, "degradation").arrived().figure
    expect(figure).to_contain_class("presented")
    expect_unanswered(figure)
    page.keyboard.press(" ")
    expect_open(figure)
    expect(figure).not_to_have_attribute("data-status", "running")


def test_it_shows_no_result_until_the_reader_skips_one_prediction_or_all(figure: Locator) -> None:
    page = figure.page
    expect_unanswered(figure)
    figure.get_by_text(SKIP).press("Enter")
    expect_open(figure)
    expect_seen(figure.locator(".predict"))
    expect(figure.locator(".truth > summary")).to_be_focused()
    assert page.locator("figure[data-hidden]").count()
    page.locator("footer").get_by_role("button", name="Show all answers").click()
    expect(page.locator("figure[data-hidden]")).to_have_count(0)
    expect(page.locator("details.truth:not([open])")).to_have_count(0)
    page.goto("shortcut")
    expect(page.locator("details.truth:not([open])")).to_have_count(0)
    with page.expect_navigation():
        page.locator("footer").get_by_role("button", name="Hide answers again").click()
    expect(page.locator("details.truth:not([open])").first).to_be_attached()
    page.goto("degradation")
    expect_unanswered(OnPage(page, "degradation").arrived().figure)


@pytest.mark.parametrize("slug", first(1, ["connectivity", "explorer"]))
def test_a_skipped_question_of_any_kind_takes_no_answer(page: Page, slug: str) -> None:
    page.goto(slug)
    for question in page.locator(".predict").all():
        question.evaluate("question => question.closest('details')?.setAttribute('open', '')")
        question.get_by_text(SKIP).press("Enter")
        expect_seen(question)
        expect(question.locator(".truth > summary")).to_be_focused()


def test_a_number_that_nobody_predicted_is_on_the_projector_and_the_page_has_its_answer(page: Page) -> None:
    page.goto("gradient-paths?present=paths")
    figure = OnPage(page, "paths").arrived().figure
    number = figure.locator(".yours")
    expect(number).to_be_hidden()
    page.keyboard.press(" ")
    expect(number).to_have_text(re.compile(r"^It is [\d.]+%\.$"))
    expect(number).to_be_visible()
    page.keyboard.press("Escape")
    expect(number).to_be_hidden()
    expect(figure.locator(".truth > .because")).to_be_visible()


@pytest.mark.exhaustive
def test_four_short_options_are_in_one_row(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("language")
    options = page.locator("#p-plain .option")
    expect(options).to_have_count(4)
    assert len(set(options.evaluate_all("options => options.map(option => option.offsetTop)"))) == 1


def test_a_number_in_the_text_is_a_choice_to_look(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto("degradation")
    figure = OnPage(page, "degradation").arrived().figure
    expect(figure).to_have_attribute("data-hidden", "")
    knob = page.locator("[data-knob='degradation.depth']").first
    knob.scroll_into_view_if_needed()
    knob.press("ArrowLeft")
    expect(figure).not_to_have_attribute("data-hidden", "")
    assert shown_results(figure)


def test_a_link_to_a_state_shows_that_state(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(LINK)
    figure = OnPage(page, "degradation").arrived().figure
    expect_open(figure)
    expect_seen(figure.locator(".predict"))


LEAST_SHARE = 0.5
"""The least share of its card that a picture takes on a wide page, before and after the answer"""


def box(figure: Locator, selector: str) -> FloatRect:
    """Return where the first such part of a figure is."""
    bounds = figure.locator(selector).first.bounding_box()
    assert bounds, selector
    return bounds


def are_beside(figure: Locator, left: str, right: str) -> bool:
    """Return whether two parts of a figure are beside each other."""
    one, other = box(figure, left), box(figure, right)
    return one["x"] + one["width"] <= other["x"] and other["y"] < one["y"] + one["height"]


def share(figure: Locator) -> float:
    """Return the share of a figure's card that its picture takes."""
    picture, card = box(figure, ".stage-figures"), figure.bounding_box()
    assert card
    return picture["width"] * picture["height"] / (card["width"] * card["height"])


@pytest.mark.parametrize(
    "slug", first(1, ["recipes", "arena", "gradient-paths", "landscape", "norm-placement", "explorer"])
)
def test_what_is_known_stays_and_the_picture_does_not_move(page: Page, slug: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(slug)
    covered = [anchor for anchor in anchors(page) if page.locator(f"figure#{anchor}[data-hidden]").count()]
    assert covered
    for anchor in covered:
        figure = OnPage(page, anchor).arrived().figure
        assert not shown_results(figure)
        assert share(figure) >= LEAST_SHARE, anchor
        assert are_beside(figure, ".title", ".kind"), anchor
        assert figure.locator(":is(.transport, .controls)").first.is_visible(), anchor  # they cannot be used yet
        top, height = figure.evaluate(TOP), figure.evaluate("figure => figure.offsetHeight")
        figure.get_by_text(SKIP).click()
        expect(figure.locator(".live")).not_to_be_empty()
        expect(figure.locator(".kind")).to_be_hidden()
        assert figure.evaluate(TOP) == pytest.approx(top, abs=1), anchor
        assert box(figure, ".truth")["y"] < box(figure, ".stage")["y"], anchor
        assert figure.evaluate("figure => figure.offsetHeight") == pytest.approx(height, abs=1), anchor
        assert share(figure) >= LEAST_SHARE, anchor


def test_the_answer_takes_the_place_of_the_question_and_unfolds(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto("degradation")
    figure = OnPage(page, "failures").arrived().figure
    options = figure.locator(".predict .option")
    options.first.click()
    figure.get_by_role("button", name="This is my prediction").click()
    expect(options.filter(visible=True)).to_have_count(0)
    expect(figure.locator(".yours")).to_contain_text("You said: at least a thousand times smaller. It is:")
    expect(figure.locator(".yours")).to_be_focused()
    why, more = figure.locator(".because"), figure.get_by_role("button", name="more", exact=True)
    folded = why.evaluate("why => why.offsetHeight")
    more.click()
    assert why.evaluate("why => why.offsetHeight") > folded
    figure.get_by_role("button", name="less", exact=True).click()
    assert why.evaluate("why => why.offsetHeight") == folded


@pytest.mark.parametrize("slug", first(1, ["degradation", "norm-placement", "history", "theories"]))
@pytest.mark.parametrize("way", first(1, ["This is my prediction", SKIP]))
def test_on_a_phone_the_picture_stays_where_it_is(page: Page, slug: str, way: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(slug)
    for anchor in anchors(page):
        figure = page.locator(f"figure#{anchor}")
        if figure.locator(".predict:is([data-type=choice], [data-type=rank])").count():
            OnPage(page, anchor).arrived()
            top = figure.evaluate(TOP)
            for option in figure.locator(".predict input[type=radio]").all()[:1]:
                option.check()
            for option in figure.locator(".predict .order button").all():
                option.click()
            figure.get_by_text(way).click()
            expect(figure.locator(".live")).not_to_be_empty()
            assert figure.evaluate(TOP) == pytest.approx(top, abs=1), anchor


def test_a_table_hides_the_words_that_a_prediction_asks_for(page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto("recipes")
    recipe = OnPage(page, "which_block").arrived().figure
    disputed = recipe.locator("em", has_text="disputed")
    expect(recipe.locator("summary", has_text="shipped at scale").first).to_be_visible()
    expect(disputed.first).to_be_hidden()
    recipe.get_by_text(SKIP).click()
    expect(disputed.first).to_be_visible()


TOP = "figure => figure.querySelector('.stage').getBoundingClientRect().top - figure.getBoundingClientRect().top"
"""Where the picture begins, from the top of its figure"""


@pytest.mark.parametrize("width", first(1, [1280, 390]))
def test_a_table_below_its_prediction_is_on_its_card(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("language")
    card, covered = page.locator("#p-which"), page.locator(".covered[data-covered=p-which]")
    table = covered.locator(".table")
    expect(covered.locator(".waits")).to_be_hidden()
    assert_joined(card, table)
    card.get_by_text(SKIP).click()
    expect(table.get_by_role("cell").first).to_have_css("visibility", "visible")
    assert_joined(card, table)


def assert_joined(above: Locator, below: Locator) -> None:
    upper, lower = above.bounding_box(), below.bounding_box()
    assert upper
    assert lower
    assert (lower["x"], lower["width"]) == pytest.approx((upper["x"], upper["width"]), abs=1)
    assert lower["y"] == pytest.approx(upper["y"] + upper["height"], abs=1)


def test_a_table_waits_for_all_of_its_predictions(page: Page) -> None:
    page.goto("explorer")
    table = page.locator(".covered[data-covered~=p-warm]")
    cell, words = table.locator("td").first, table.get_by_text("Read it column by column first")
    expect(cell).to_have_css("visibility", "hidden")
    expect(table.get_by_role("rowheader", name="skips with Post-LN")).to_be_visible()
    for name in ("p-rate", "p-warm"):
        expect(words).to_be_hidden()
        page.locator(f"#{name}").get_by_text("Skip and show").click()
        if name == "p-rate":
            expect(table.locator(".waits")).to_be_visible()
    expect(words).to_be_visible()
    expect(cell).to_have_css("visibility", "visible")
    expect(table.locator(".waits")).to_be_hidden()
