"""Pictures are drawn with less work, and are those that Bokeh draws with all of it."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.figure_on_page import OnPage
from tests.browser.local_server import Server

ALL_OF_IT = "export function sparing() {}"
MOVES = [
    ("shortcut", "corrections", {"depth": "9"}),  # images, more rows than before, and legends
    ("degradation", "published", {"table": "imagenet-depth"}),  # bars, and another choice of plots
    ("shortcut", "last_op", {"blocks": "22"}),  # lines and areas on axes that change their ranges
]

DRAWN = """id => [...window.simulations.get(id).document._all_models.values()]
    .filter(each => each.type === 'Figure' && each.visible)
    .map(each => {
        const view = Bokeh.index.find_one(each)
        const legends = [...view.renderer_views.values()].filter(each => each.model.type === 'Legend')
        const {width, height} = view.frame.bbox
        return JSON.stringify([
            width, height, view.canvas_view.primary.canvas.toDataURL(),
            legends.map(({entries}) => entries.map(
                ({label, glyph, el}) => [label, glyph.canvas.toDataURL(), el.className]
            )),
        ])
    })"""

COUNT = """([views, method]) => {
    const {prototype} = Bokeh.require(views)[method[0]], own = prototype[method[1]]
    window.counted = new Map()
    prototype[method[1]] = function (...all) {
        window.counted.set(this.model.id, (window.counted.get(this.model.id) ?? 0) + 1)
        return own.apply(this, all)
    }
}"""


def moved(page: Page, slug: str, name: str, values: dict[str, str]) -> list[list[str]]:
    """What the figures of a simulation show at first, when it was moved, and when it was moved back."""
    page.goto(slug)
    simulation = OnPage(page, name).ready()
    live = page.evaluate("id => simulations.get(id).live.values", name)
    before = {each: live[each] for each in values}
    page.evaluate("id => window.simulations.get(id).session.connect()", name)
    settle(page, name)
    drawn = [page.evaluate(DRAWN, name)]
    for wanted in (values, before):
        go(page, name, wanted)
        drawn.append(page.evaluate(DRAWN, name))
    assert simulation.figure.is_visible()
    return drawn


def go(page: Page, name: str, values: dict[str, str]) -> None:
    """Set values, and wait until all that they change is drawn."""
    page.evaluate(
        """async ([id, values]) => {
            const simulation = window.simulations.get(id)
            const shown = () => Object.entries(values).every(([name, text]) => simulation.live.values[name] === text)
            simulation.wish(values)
            const told = () => new Promise(resolve => document.addEventListener('simulation', resolve, {once: true}))
            while (!shown()) await told()
        }""",
        [name, values],
    )
    settle(page, name)


def settle(page: Page, name: str) -> None:
    """Have everything drawn that waits for its turn: where one plot becomes wider, others follow."""
    page.evaluate(
        """async id => {
            const {models} = window.simulations.get(id).kept
            const views = models.filter(each => each.type === 'Figure').map(each => Bokeh.index.find_one(each))
            for (const _ of [1, 2, 3]) {
                await Promise.all(views.map(each => each.ready))
                await new Promise(requestAnimationFrame)
                views.forEach(each => each.repaint())
            }
        }""",
        name,
    )


@pytest.mark.parametrize(("slug", "name", "values"), MOVES)
def test_pictures_are_the_same_to_the_pixel(
    browser: Browser, server: Server, slug: str, name: str, values: dict[str, str]
) -> None:
    pictures = []
    for whole in (True, False):
        page = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()
        if whole:
            page.route("**/sparing.js", lambda route: route.fulfill(body=ALL_OF_IT, content_type="text/javascript"))
        pictures.append(moved(page, slug, name, values))
        page.context.close()
    assert pictures[0] == pictures[1]
    first, then, _ = pictures[1]
    assert first != then


def test_a_message_is_taken_in_once(page: Page) -> None:
    slug, name, values = MOVES[0]
    moved(page, slug, name, values)
    page.evaluate(COUNT, ["models/renderers/glyph_renderer", ["GlyphRendererView", "set_data"]])
    go(page, name, values)
    assert set(page.evaluate("[...counted.values()]")) == {1}


def test_a_legend_is_made_once(page: Page) -> None:
    slug, name, values = MOVES[0]
    moved(page, slug, name, values)
    page.evaluate(COUNT, ["models/annotations/legend", ["LegendView", "_render_items"]])
    go(page, name, values)
    assert page.evaluate("counted.size") == 0
