"""Every page, as readers meet it: on a phone, in the dark, without JavaScript, on paper, with the keyboard, by ear."""

import re
import urllib.request
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page, expect

from app.pages.data.changelog import AUTHORS, releases
from app.pages.files.sources import HOME, Sources, mark_and_slug
from tests.browser.conftest import watch
from tools.figure_on_page import OnPage, unfolded
from tools.local_server import Server
from tools.stills import SHARP

PAGES = ["" if slug == HOME else slug for slug in Sources().slugs()]


COVERED = """table => {
    const card = getComputedStyle(table.closest('.poster')).backgroundColor
    return [table.scrollWidth <= table.clientWidth, getComputedStyle(table).backgroundImage.includes(card)]
}"""
"""Whether a table on a card fits it, and whether what covers its shadows has the color of the card"""


def check_tables(page: Page) -> None:
    """Shadows are at hidden columns only, and a caption is read without scrolling."""
    match page.url.rpartition("/")[2]:
        case "cheat-sheet":
            tables = page.locator(".poster .table").all()
            assert tables
            assert all(table.evaluate(COVERED) == [True, True] for table in tables)
        case "matrices":
            caption = page.locator("main caption").first
            assert caption.evaluate("caption => caption.clientWidth <= caption.closest('.table').clientWidth")
        case "numbers":
            assert page.locator(".table").first.evaluate("table => table.scrollWidth <= table.clientWidth")


PHONE = 390


@pytest.fixture(scope="module")
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """A phone in the dark, which goes from page to page."""
    context = browser.new_context(
        viewport={"width": PHONE, "height": 844}, color_scheme="dark", base_url=server.url, has_touch=True
    )
    page = context.new_page()
    page.faults = watch(page, server.url)  # type: ignore[attr-defined]
    yield page
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_opens_on_a_phone_in_the_dark_without_a_fault_and_fits(phone: Page, path: str) -> None:
    """On a desk it is opened by `test_every_reader.py`, with every figure on it."""
    phone.faults.seen.clear()  # type: ignore[attr-defined]
    phone.goto(path)
    expect(phone.locator("h1")).to_have_count(1)
    expect(phone.locator("h1")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE
    check_tables(phone)
    assert phone.faults.left() == []  # type: ignore[attr-defined]


CHAPTERS = [mark_and_slug(path)[1] for path in Sources().chapters()]


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_is_at_most_fourteen_screens_long_while_its_folds_are_closed(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(path)
    assert page.locator("article").evaluate("element => element.getBoundingClientRect().height") <= 14 * 800


def test_every_page_is_readable_without_javascript(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    for path in PAGES:
        page.goto(path)
        assert len(page.locator("main").inner_text()) > 200, path
    context.close()


def test_a_quiz_gives_its_reasons_without_javascript(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    page.goto("degradation")
    quiz = page.locator(".quiz#q1")
    reason = quiz.locator(".because").first
    expect(reason).not_to_be_visible()
    quiz.get_by_role("radio").first.check()
    expect(reason).to_be_visible()
    context.close()


def test_an_image_stays_readable_on_a_phone_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        java_script_enabled=False, base_url=server.url, viewport={"width": 390, "height": 844}, color_scheme="light"
    )
    page = context.new_page()
    page.goto("degradation")
    image = page.locator("figure#degradation .still.light.answer")
    assert image.evaluate("image => image.currentSrc.includes('.phone.')")
    # It was made in a window of this width, so that it has its own size, and nobody has to push it from side to side.
    assert image.evaluate("image => image.naturalWidth / image.clientWidth") == pytest.approx(SHARP, rel=0.1)
    assert page.evaluate(
        "(stage => stage.scrollWidth <= stage.clientWidth)(document.querySelector('#degradation .stage'))"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_a_fold_opens_by_its_title_for_a_link_into_it_and_on_paper(page: Page) -> None:
    page.goto("degradation")
    inside = page.locator("#w-copy")
    expect(inside).not_to_be_visible()
    page.get_by_text("By hand, in code, and one more question").press("Enter")
    expect(inside).to_be_visible()
    page.goto("degradation?degradation.depth=8&v=2#E-03")
    expect(page.locator("#E-03")).to_be_visible()
    expect(inside).not_to_be_visible()
    page.emulate_media(media="print")
    expect(inside).to_be_visible()


def test_a_preset_opens_the_fold_that_it_leads_into(page: Page) -> None:
    page.goto("shortcut")
    link = page.locator("a.preset[data-for]:not(figure *)").first
    simulation = OnPage(page, str(link.get_attribute("data-for")))
    simulation.ready()
    page.evaluate(
        """id => {
            const figure = document.getElementById(id)
            const fold = Object.assign(document.createElement('details'), {className: 'fold'})
            figure.before(fold)
            fold.append(figure)
        }""",
        simulation.name,
    )
    expect(simulation.figure).not_to_be_visible()
    unfolded(page, "a.preset[data-for]:not(figure *) >> nth=0").click()
    expect(simulation.figure).to_be_visible()


def test_everything_is_reached_with_the_keyboard_alone(page: Page) -> None:
    page.goto("degradation?degradation.width=16&degradation.seeds=1&degradation.training_steps=200")
    simulation = OnPage(page, "degradation").ready()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the text")).to_be_focused()
    simulation.slider("Depth").focus()
    page.keyboard.press("PageDown")
    # The button says how long a run of the new depth takes, and is drawn anew for it: the way there begins afterward.
    expect(simulation.figure.get_by_role("button", name=re.compile("^Train this"))).to_be_visible()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        reached.add(
            page.evaluate(
                """() => {
                let at = document.activeElement
                while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
                return at.ariaLabel || at.textContent.trim().slice(0, 30)
            }"""
            )
        )
        if any(re.match(r"Train( this\b|$)", label) for label in reached):
            break
    assert any(re.match(r"Train( this\b|$)", label) for label in reached), reached
    page.keyboard.press("Enter")
    simulation.wait_for_step(1)


TITLES = """() => {
    const models = [...window.simulations.get('published').document._all_models.values()]
    return models.find(model => model.type === 'Title').text_color
}"""
"""The color of a title in a figure"""


def test_the_theme_follows_the_system_and_can_be_chosen(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("experiment")
    OnPage(page, "published").ready()
    ground = "getComputedStyle(document.body).backgroundColor"
    dark, titles = page.evaluate(ground), page.evaluate(TITLES)
    page.get_by_role("button", name=re.compile("colors$")).click()
    assert page.evaluate(ground) != dark
    page.wait_for_function(f"before => ({TITLES})() !== before", arg=titles)
    chosen = page.evaluate(ground)
    page.reload()
    assert page.evaluate(ground) == chosen


def test_nothing_moves_with_reduced_motion(browser: Browser, server: Server) -> None:
    context = browser.new_context(reduced_motion="reduce", base_url=server.url)
    page = context.new_page()
    page.goto("degradation")
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(element => {
            const style = getComputedStyle(element)
            return parseFloat(style.transitionDuration) > 0.01 || parseFloat(style.animationDuration) > 0.01
        }).length"""
    )
    assert moving == 0
    context.close()


def test_a_page_prints(page: Page) -> None:
    page.goto("degradation")
    printed = page.pdf()
    assert printed.startswith(b"%PDF")
    origin = page.get_by_text(f"{Sources().title()}, version {releases()[0].version}. © {AUTHORS}, CC BY 4.0")
    expect(origin).not_to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".actions").first).not_to_be_visible()
    expect(origin).to_be_visible()
    assert_kept(page, {"#w-copy li": ("break-inside", "avoid"), ".disclosure": ("break-inside", "avoid")})
    assert_kept(page, {".quiet": ("break-before", "avoid"), ".disclosure summary": ("break-after", "avoid")})


def assert_kept(page: Page, kept: Mapping[str, tuple[str, str]]) -> None:
    """Expect on paper what stays in one piece, or beside what follows it, and how."""
    for selector, (name, value) in kept.items():
        style = "(one, name) => getComputedStyle(one).getPropertyValue(name)"
        assert page.locator(selector).first.evaluate(style, name) == value, selector


@pytest.mark.parametrize(
    ("slug", "kept"),
    [
        ("lesson-bet", {".key dl > div": ("break-inside", "avoid"), "h2:has(+ p + .ticket)": ("break-before", "page")}),
        ("lesson-bugs", {"h2:has(+ .ticket)": ("break-before", "page"), "h2 + .ticket": ("break-before", "auto")}),
    ],
)
def test_no_page_ends_between_a_heading_and_its_text(
    page: Page, slug: str, kept: Mapping[str, tuple[str, str]]
) -> None:
    page.goto(slug)
    page.emulate_media(media="print")
    assert_kept(page, kept)


def test_the_first_answer_is_small_and_guarded(server: Server) -> None:
    request = urllib.request.Request(f"{server.url}/degradation", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        assert answer.headers["Content-Encoding"] == "gzip"
        assert len(body) < 60_000
        policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self' blob: 'wasm-unsafe-eval';" in policy
    assert "'unsafe-eval'" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
