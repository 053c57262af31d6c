"""What draws comes with the page, runs when somebody is there, and asks no style sheet for anything as it paints."""

import pytest
from playwright.sync_api import Page

from app.bokeh_internals import bokeh_script
from tests.tiers import first
from tools.figure_on_page import OnPage

FETCHED = (
    "() => performance.getEntriesByType('resource')"
    ".some(entry => entry.name.endsWith('/bokeh.min.js') && entry.responseEnd)"
)
TWO_FRAMES = (
    "() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))"
)
RUNS = "() => typeof Bokeh !== 'undefined'"

STYLE_CALLS = """id => {
    const own = window.getComputedStyle, calls = []
    window.getComputedStyle = (element, ...more) => {
        calls.push(new Error().stack)
        return own(element, ...more)
    }
    try {
        for (const model of window.simulations.get(id).document._all_models.values())
            if (model.type === 'Figure') Bokeh.index.find_one(model).paint()
    } finally {
        window.getComputedStyle = own
    }
    return calls
}"""


@pytest.fixture
def small(page: Page) -> Page:
    """A page whose first figure is far below."""
    page.set_viewport_size({"width": 800, "height": 300})
    page.goto("degradation")
    page.wait_for_function(FETCHED)
    page.evaluate("document.fonts.ready")
    page.evaluate(TWO_FRAMES)
    return page


def test_a_page_without_figures_does_not_fetch_it(page: Page) -> None:
    page.goto("glossary")
    page.evaluate("() => new Promise(done => requestIdleCallback(done))")
    assert not page.evaluate(FETCHED)
    assert not page.evaluate("() => 'simulations' in window")


@pytest.mark.parametrize("sign", first(1, ["pointer", "key", "scroll"]))
def test_it_is_fetched_and_runs_at_the_first_sign_of_a_reader(small: Page, sign: str) -> None:
    assert not small.evaluate(RUNS)
    if sign == "pointer":
        small.mouse.move(100, 100)
    elif sign == "key":
        small.keyboard.press("Shift")
    else:
        small.evaluate("scrollBy(0, 20)")
    small.wait_for_function(RUNS)
    assert not small.evaluate("window.simulations.get('degradation').kept")


def test_it_knows_every_model_that_its_first_line_names_and_computes_no_styles_as_it_paints(page: Page) -> None:
    page.goto("embed/degradation")
    OnPage(page, "degradation").ready()
    unknown = "names => names.filter(name => Bokeh.Models.get(name)?.__qualified__ !== name)"
    assert page.evaluate(unknown, sorted(bokeh_script.models())) == []
    assert page.evaluate("Bokeh.version") == bokeh_script.head()["bokehjs"]
    assert page.evaluate(STYLE_CALLS, "degradation") == []
