"""Every figure fits its screen, with type that can be read, and keeps its height whatever it shows."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from app.pages.files.sources import HOME, Sources
from app.views.norm_placement.plateau import ROOM
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server
from tools.studio import SCREENS, anchors, everyday, move, present, rest

SMALLEST = 13
"""Pixels of the smallest type in a figure"""

PROJECTED = 18
"""The same where a figure is presented"""

ROUNDED = 1
"""Pixels by which a height may differ from the one that a whole number was kept of"""

SLUGS = list(Sources().files())

VISITS = (("projector", "desk", "laptop"), ("phone",))
"""Screens on which a chapter is seen in one visit"""

RUNS = [("connectivity", "connectivity"), ("cheat-sheet", "decision")]
"""Chapter and figure of runs that take seconds"""

MEASURE = """anchor => {
  const figure = document.getElementById(anchor), {document: drawn} = window.simulations.get(anchor)
  function* deep(root) {
    for (const element of root.querySelectorAll('*')) {
      yield element
      if (element.shadowRoot) yield* deep(element.shadowRoot)
    }
  }
  const elements = [...deep(figure)].filter(element => element.getClientRects().length)
  const box = element => element.getBoundingClientRect()
  const pixels = (element, name) => parseFloat(getComputedStyle(element).getPropertyValue(name))
  const own = element => [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE)
    .map(node => node.data.trim()).join('')
  const words = elements.filter(element => own(element) && !element.matches('style, script, option, .hidden'))
    .filter(element => !element.closest('sup, :is(msup, msub, msubsup) > :not(:first-child), mfrac')) // powers, indices
    .map(element => [pixels(element, 'font-size'), own(element).slice(0, 40)])
  const models = [...drawn._all_models.values()], glyphs = models.filter(model => model.type === 'GlyphRenderer')
  const sizes = (model, size) => typeof size?.field !== 'string' ? [size?.value ?? size]
    : glyphs.filter(one => one.glyph === model).map(one => [...one.data_source.data[size.field] ?? []])
      .flatMap(column => size.transform?.v_compute(column) ?? column)
  const seen = model => model.visible !== false
    && (model.type !== 'Text' || glyphs.some(one => one.glyph === model && one.data_source.get_length()))
  const letters = models.filter(seen).flatMap(model =>
    Object.keys(model.attributes).filter(name => /^(?!title|(sub)?group).*text_font_size$/.test(name)).flatMap(name =>
      sizes(model, model[name]).map(size => [parseFloat(size), `${model.type}.${name}`])))
  const find = selector => figure.querySelector(selector), stage = find('.stage'), live = find('.live')
  const pictures = box(elements.find(element => element.matches('.stage-figures')))
  const right = Math.max(...elements.filter(element => element.matches('canvas')).map(element => box(element).right))
  // The prediction that is asked in a figure scrolls with the text; on a projector all of it has to fit.
  const question = [...figure.querySelectorAll('.predict > :is(fieldset, .commit, .yours, .truth)')]
    .map(element => innerWidth > 1900 ? 0 : element.getClientRects().length && element.offsetHeight)
  const button = pixels(figure, '--dense') * pixels(document.documentElement, 'font-size') // in rem
  return {
    pictures: pictures.height,
    upto: pictures.bottom - (innerWidth <= 1900 && question.length ? pictures.top - box(find('.title')).height
      : box(find('.title')).top),
    whole: figure.scrollHeight - question.reduce((sum, height) => sum + height, find('.listing')?.offsetHeight ?? 0),
    wide: Math.max(figure.scrollWidth - figure.clientWidth, right - box(figure).right),
    stage: stage.offsetHeight,
    stage_kept: pixels(figure, '--stage'),
    said: live.offsetHeight,
    // The buttons of a prediction have the same room.
    said_kept: Math.max(pixels(figure, '--said'), find('.predict') ? button : 0),
    smallest: [...words, ...letters].sort(([one], [other]) => one - other).slice(0, 3),
  }
}"""


def opened(browser: Browser, server: Server, slug: str, screen: str) -> Page:
    """A chapter on a screen, with every figure drawn."""
    context = browser.new_context(base_url=server.url, has_touch=screen == "phone", reduced_motion="reduce")
    page = context.new_page()
    resize(page, screen)
    page.goto("" if slug == HOME else slug)
    for anchor in anchors(page):
        OnPage(page, anchor).ready()
    rest(page, *anchors(page))
    return page


def resize(page: Page, screen: str) -> None:
    """Give the window the size of a screen."""
    width, height = SCREENS[screen]
    page.set_viewport_size({"width": width, "height": height})


def faults(screen: str, measured: dict[str, Any]) -> list[str]:
    """What is wrong with the size of a figure on a screen."""
    _width, height = SCREENS[screen]
    phone, projector = screen == "phone", screen == "projector"
    least = PROJECTED if projector else SMALLEST
    size, where = measured["smallest"][0]
    checks = {
        f"its stage takes {measured['pictures']:.0f} px of {height}": phone and measured["pictures"] > height,
        f"it takes {measured['whole']} px of two screens of {height}": phone and measured["whole"] > 2 * height,
        f"title to stage take {measured['upto']:.0f} px of {height}": not phone and measured["upto"] > height,
        f"it takes {measured['whole']} px of {height}": projector and measured["whole"] > height,
        f"it is {measured['wide']:.0f} px too wide": measured["wide"] > ROUNDED,
        f"its stage takes {measured['stage']} px where {measured['stage_kept']:.0f} are kept": (
            not projector and abs(measured["stage"] - measured["stage_kept"]) > ROUNDED
        ),
        f"its sentence takes {measured['said']} px where {measured['said_kept']:.0f} are kept": (
            measured["said"] > measured["said_kept"] + ROUNDED and not projector
        ),
        f"type of {size:.1f} px: {where}": size < least,
    }
    return [words for words, wrong in checks.items() if wrong]


def moved(page: Page, anchor: str) -> list[str]:
    """The everyday controls of a figure that change the height of its stage."""
    high = "anchor => document.querySelector(`#${anchor} .stage`).offsetHeight"
    before, changes = page.evaluate(high, anchor), []
    for control in everyday(page, anchor):
        move(page, anchor, control)
        after = page.evaluate(high, anchor)
        if after != before:
            changes.append(f"its stage takes {after} px after {control} has moved, {before} px before")
    return changes


@pytest.mark.parametrize("screens", [VISITS[0], pytest.param(VISITS[1], marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("slug", first(1, SLUGS))
def test_figures_fit_the_screen(browser: Browser, server: Server, slug: str, screens: tuple[str, ...]) -> None:
    page = opened(browser, server, slug, screens[0])
    names, errors = anchors(page), []
    for screen in screens:
        resize(page, screen)
        for anchor in names:
            if screen == "projector":
                present(page, anchor)
            page.locator(f"figure#{anchor}").evaluate("figure => figure.scrollIntoView()")
            rest(page, anchor)
            errors += [f"{anchor}, {screen}: {fault}" for fault in faults(screen, page.evaluate(MEASURE, anchor))]
            if screen == "projector":
                present(page, anchor)
    for anchor in names:
        if "laptop" in screens and not page.locator(f"figure#{anchor} .progress").count():
            errors += [f"{anchor}: {change}" for change in moved(page, anchor)]
    page.context.close()
    assert not errors, "\n".join(errors)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("slug", "name"), first(1, RUNS))
def test_a_run_changes_no_height(page: Page, slug: str, name: str) -> None:
    page.goto(slug)
    on_page = OnPage(page, name).ready()
    on_page.menu()
    rest(page, name)
    heights = on_page.figure.evaluate_handle(
        """figure => {
            const seen = new Set([figure.offsetHeight])
            new ResizeObserver(() => seen.add(figure.offsetHeight)).observe(figure)
            return seen
        }"""
    )
    on_page.button("Restart").click()
    page.wait_for_function("name => window.simulations.get(name).live.step === 0", arg=name)
    on_page.button("Train").click()
    on_page.wait_for_status("finished")
    rest(page, name)
    assert len(heights.evaluate("seen => [...seen]")) == 1


def test_a_gutter_on_a_phone_is_as_wide_as_its_labels(browser: Browser, server: Server) -> None:
    """There are none before a prediction is answered."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server.url)
    page = context.new_page()
    page.goto("costs")
    figure = OnPage(page, "plateau").arrived().figure
    assert 0 < page.evaluate(GUTTER) < ROOM / 4
    figure.get_by_text("Skip and show").click()
    page.wait_for_function(f"before => ({GUTTER})() > before", arg=ROOM / 2)
    assert page.evaluate(GUTTER) < ROOM
    context.close()


GUTTER = """() => Math.max(
    ...window.simulations.get('plateau').kept.models.map(model => model.min_border_right ?? 0)
)"""
"""Pixels right of a plot with labels, the widest of a figure"""
