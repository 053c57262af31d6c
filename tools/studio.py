"""Takes screenshots of the site: runs a server and a browser, and waits until figures no longer change."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tools.local_server import Server, chromium, serving

SCREENS = {"desk": (1440, 900), "laptop": (1280, 800), "phone": (390, 844), "projector": (1920, 1080)}
"""Screens of readers and teachers, in pixels. The phone has touch; the projector shows one figure."""

REST = """async anchors => {
  await document.fonts.ready
  const late = ({seen, stale, planned, controls: {canvas, view}}) =>
    seen && Boolean(stale || planned || canvas.offsetWidth !== Math.floor(view.clientWidth))
  const told = () => JSON.stringify(anchors.map(anchor => {
    const figure = document.getElementById(anchor)
    const {top, width, height} = figure.getBoundingClientRect()
    const {document: drawn, kept, surfaces} = window.simulations.get(anchor)
    const plots = kept.models.filter(each => each.type === 'Figure').map(each => Bokeh.index.find_one(each))
    const sizes = plots.filter(each => each?.el.offsetWidth)
      .map(({el, bbox}) => [el.offsetWidth, el.offsetHeight, bbox.width, bbox.height])
    const fits = sizes.every(([wide, high, across, up]) => Math.abs(wide - across) <= 1 && Math.abs(high - up) <= 1)
    return [top, width, height, sizes, fits, drawn.is_idle, !surfaces.some(late)]
  }))
  for (let same = 0, before = ''; same < 8;) {
    await new Promise(requestAnimationFrame)
    const now = told()
    same = now === before && !now.includes('false') ? same + 1 : 0
    before = now
  }
}"""


EVERYDAY = """anchor => window.simulations.get(anchor).controls.all
  .filter(each => Bokeh.index.find_one(each.model)?.el.getClientRects().length).map(each => each.name)"""

MOVE = """async ([anchor, name]) => {
  const simulation = window.simulations.get(anchor)
  const control = simulation.controls.all.find(each => each.name === name), {model, options, text} = control
  const isText = !options && typeof model[control.attribute] !== 'boolean' && model.end === undefined
  if (isText) return // it has no end to be moved to
  const ends = options ? [options.at(-1)[0], options[0][0]]
    : typeof model[control.attribute] === 'boolean' ? ['yes', 'no']
    : [model.end, model.start].sort((one, other) => Math.abs(other - text) - Math.abs(one - text)).map(String)
  const wanted = ends.find(each => each !== text)
  simulation.setParameters({[name]: wanted})
  const there = now => now === wanted || Number(now) === Number(wanted)
  while (simulation.session.sending || !there(simulation.live.values[name])) await new Promise(requestAnimationFrame)
}"""


@contextmanager
def studio() -> Iterator[tuple[Browser, Server]]:
    """Run a browser and a server for the duration of a `with` block. The server computes nothing ahead."""
    with serving() as server, sync_playwright() as playwright:
        browser = chromium(playwright)
        yield browser, server
        browser.close()


def anchors(page: Page) -> list[str]:
    """Return the ids of the figures on the open page."""
    return list(page.evaluate("[...document.querySelectorAll('figure.simulation')].map(each => each.id)"))


def rest(page: Page, *figures: str) -> None:
    """Wait until these figures are drawn and have kept their size and position for several frames."""
    page.evaluate(REST, list(figures))


def everyday(page: Page, anchor: str) -> list[str]:
    """Return the names of a figure's controls that are not folded away."""
    return list(page.evaluate(EVERYDAY, anchor))


def move(page: Page, anchor: str, control: str) -> None:
    """Move a control as far as possible from its current value, and wait until the figure shows that."""
    page.evaluate(MOVE, [anchor, control])
    rest(page, anchor)


def present(page: Page, anchor: str) -> None:
    """Toggle the projector view of a figure."""
    page.evaluate("anchor => document.dispatchEvent(new CustomEvent('present', {detail: anchor}))", anchor)
