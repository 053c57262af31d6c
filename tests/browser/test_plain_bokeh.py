"""Figures show what they show with plain Bokeh, to the pixel: with its own bundles and none of its methods replaced."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server, serving

MOVES = [
    ("shortcut", "corrections", {"depth": "9"}),  # images, more rows than before, and legends
    ("experiment", "published", {"table": "imagenet-depth"}),  # bars, and another choice of plots
    ("recipes", "last_op", {"blocks": "22"}),  # lines and areas on axes that change their ranges
]

DRAWN = """id => [...window.simulations.get(id).document._all_models.values()]
    .filter(figure => figure.type === 'Figure' && figure.visible)
    .map(figure => {
        const view = Bokeh.index.find_one(figure)
        const legends = [...view.renderer_views.values()].filter(renderer => renderer.model.type === 'Legend')
        const {width, height} = view.frame.bbox
        return JSON.stringify([
            width, height, view.canvas_view.primary.canvas.toDataURL(),
            legends.map(({entries}) => entries.map(
                ({label, glyph, el}) => [label, glyph.canvas.toDataURL(), el.className]
            )),
        ])
    })"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The site with `SKIP_PLAIN_BOKEH`, and a cache of its own: the other server would find its pages out of date."""
    with serving(SKIP_PLAIN_BOKEH="1", SKIP_CACHE=str(tmp_path_factory.mktemp("plain"))) as running:
        yield running


def moved(page: Page, slug: str, name: str, values: dict[str, str]) -> list[list[str]]:
    """What the figures of a simulation show at first, when it was moved, and when it was moved back."""
    page.goto(slug)
    simulation = OnPage(page, name).ready()
    live = page.evaluate("id => simulations.get(id).live.values", name)
    before = {value: live[value] for value in values}
    page.evaluate("id => window.simulations.get(id).session.connect()", name)
    settle(page, name)
    pictures = [page.evaluate(DRAWN, name)]
    for settings in (values, before):
        go(page, name, settings)
        pictures.append(page.evaluate(DRAWN, name))
    assert simulation.figure.is_visible()
    return pictures


def go(page: Page, name: str, values: dict[str, str]) -> None:
    """Set values, and wait until all that they change is drawn."""
    page.evaluate(
        """async ([id, values]) => {
            const simulation = window.simulations.get(id)
            const shown = () => Object.entries(values).every(([name, text]) => simulation.live.values[name] === text)
            simulation.setParameters(values)
            const updated = () => new Promise(resolve => document.addEventListener('simulation', resolve, {once: true}))
            while (!shown()) await updated()
        }""",
        [name, values],
    )
    settle(page, name)


def settle(page: Page, name: str) -> None:
    """Have everything drawn that waits for its turn: where one plot becomes wider, others follow. Views of plain Bokeh
    are not always ready again after a move, so that a frame is enough for them."""
    page.evaluate(
        """async id => {
            const {models} = window.simulations.get(id).kept
            const views = models.filter(model => model.type === 'Figure').map(model => Bokeh.index.find_one(model))
            const frame = () => new Promise(requestAnimationFrame)
            for (const _ of [1, 2, 3, 4, 5, 6]) {
                await Promise.race([Promise.all(views.map(view => view.ready)), frame()])
                await frame()
                views.forEach(view => view.repaint())
            }
        }""",
        name,
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize(("slug", "name", "values"), first(1, MOVES))
def test_pictures_are_the_same_to_the_pixel(
    browser: Browser, server: Server, plain: Server, slug: str, name: str, values: dict[str, str]
) -> None:
    pictures = []
    for site, is_plain in ((plain, True), (server, None)):
        page = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 900}).new_page()
        pictures.append(moved(page, slug, name, values))
        assert page.evaluate("Bokeh.plain ?? null") is is_plain
        page.context.close()
    assert pictures[0] == pictures[1]
    first, then, _ = pictures[1]
    assert first != then
