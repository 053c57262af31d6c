"""From a move of a control to the pixels, for every instant simulation, in a browser: alone, and while others read and
train. A drag that a session answers; what lies on the shelf is faster (`web`)."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import param
from playwright.sync_api import Browser, sync_playwright

from app.pages.files.sources import Sources
from benchmarks._client import fetch, figures
from benchmarks._crowd import Crowd
from benchmarks.load import PAGES
from benchmarks.startup import complete
from benchmarks.web import ECHO, line, training_readers
from sims import registry
from sims.contract.parameters import Stops, control_names, to_text
from sims.contract.simulation import Simulation, Training
from tools.figure_on_page import OnPage
from tools.local_server import Server, chromium, serving

MOVES = 40
TRAINING, READING = 5, 15
GOALS = 50, 150
"""Milliseconds, 95 of 100: alone, and beside those"""


def values_of(control: param.Parameter) -> list[Any]:
    """What it can be set to, in order; of a slider without stops, two neighbors. Empty for what is typed."""
    if isinstance(control, param.Selector):
        return list(control.objects)
    if isinstance(control, param.Boolean):
        return [False, True]
    if not isinstance(control, param.Number) or not control.bounds:
        return []
    low, high = control.bounds
    assert low is not None
    assert high is not None
    step = control.step or (1 if isinstance(control, param.Integer) else (high - low) / 100)
    lower = min(control.default, high - step)
    return [lower, lower + step]


def two_places(kind: type[Simulation]) -> tuple[str, list[str]]:
    """A control of the page, a slider if there is one, and two neighboring values of it. Raises LookupError."""
    controls = [(name, kind.param[name]) for name in control_names(kind) if (kind.param[name].precedence or 0) >= 0]
    for name, control in sorted(controls, key=lambda item: not isinstance(item[1], Stops | param.Number)):
        values = values_of(control)
        if len(values) > 1:
            at = min(values.index(control.default), len(values) - 2) if control.default in values else 0
            return name, [to_text(value) for value in values[at : at + 2]]
    raise LookupError(f"{kind.__name__} has no control that moves")


async def places(server: Server) -> dict[str, tuple[str, str]]:
    """Instant simulation → page and place at which a reader meets it first."""
    instant = {name for name in registry.names() if not issubclass(registry.find(name), Training)}
    first_places: dict[str, tuple[str, str]] = {}
    for slug in Sources().slugs():
        [page] = await fetch(server.url, slug)
        for figure in figures(page.text()):
            if figure.simulation in instant:
                first_places.setdefault(figure.simulation, (slug, figure.place))
    return first_places


@contextmanager
def others(server: Server) -> Iterator[None]:
    """A class: some train, the others read."""
    crowd, leave = Crowd(server.url, PAGES), threading.Event()

    async def read() -> None:
        reading = asyncio.create_task(crowd.read(READING))
        await asyncio.to_thread(leave.wait)
        reading.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(read()))
    thread.start()
    try:
        with training_readers(server, TRAINING):
            yield
    finally:
        leave.set()
        thread.join()


def drag(browser: Browser, server: Server, name: str, slug: str, place: str) -> list[float]:
    """Milliseconds of every move."""
    control, texts = two_places(registry.find(name))
    page = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{slug}#{place}")
    OnPage(page, place).ready()
    page.evaluate("async name => { await window.simulations.get(name).session.connect() }", place)
    for _ in range(10):
        page.evaluate(ECHO, [place, control, texts])
    times = [page.evaluate(ECHO, [place, control, texts]) for _ in range(MOVES)]
    page.context.close()
    return times


def main() -> None:
    """Print every simulation, and all together, beside the goal."""
    with serving(SKIP_OPENINGS="1000") as server:
        server.load()
        complete(server)
        first_places = asyncio.run(places(server))
        with sync_playwright() as playwright:
            browser = chromium(playwright)
            for crowded, goal in enumerate(GOALS):
                conditions = f"{TRAINING} train, {READING} read" if crowded else "alone"
                everything: list[float] = []
                with others(server) if crowded else nullcontext():
                    for name, (slug, place) in first_places.items():
                        times = drag(browser, server, name, slug, place)
                        line(f"a drag, {conditions}: {name}", times, goal)
                        everything += times
                line(f"a drag, {conditions}: all {len(first_places)}", everything, goal)
            browser.close()
