"""What a reader waits for: first paint and picture, first motion, frames, sliders, bytes. One server, one browser."""

import asyncio
import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks._figures import note
from benchmarks.startup import complete
from tests.browser.raw_client import RawClient
from tools.figure_on_page import OnPage
from tools.local_server import Server, chromium, serving

ROUNDS = 7
VISITS = 21
"""Cold visits of a page: of fewer, the 95th percentile is the slowest"""
READERS = 10
HEAVY = {"depth": "56", "training_steps": "2400"}

FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
COUNT_FRAMES = """() => {
    window.frames_seen = []
    let last = -1
    document.addEventListener('simulation', ({detail}) => {
        if (detail.live.step !== last) { last = detail.live.step; window.frames_seen.push(performance.now()) }
    })
}"""
PICTURE = """
const seen = window.seen = {}
new MutationObserver(() => {
    if (window.Bokeh) seen.bundles ??= performance.now()
}).observe(document, {subtree: true, childList: true, attributes: true})
document.addEventListener('mounted', () => requestAnimationFrame(() => requestAnimationFrame(() => {
    seen.picture ??= performance.now()
})))
"""
"""Notes when the last of Bokeh's bundles has run, and when the first picture, with its result, has been painted"""

SENT = """() => {
    const sizes = new Map()
    for (const each of [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]) {
        const name = each.name.split('#')[0]
        sizes.set(name, Math.max(each.encodedBodySize, sizes.get(name) ?? 0))
    }
    const sum = kind => [...sizes].filter(([name]) => kind(name)).reduce((all, [, size]) => all + size, 0)
    const ending = name => new URL(name).pathname.match(/\\.\\w+$/)?.[0]
    return {
        words: sum(name => name === location.href.split('#')[0] || ending(name) === '.css'),
        scripts: sum(name => ending(name) === '.js'),
    }
}"""
"""Bytes of bodies as they were sent; what was fetched ahead and then run counts once"""

ECHO = """([name, control, texts]) => new Promise(resolve => {
    const simulation = window.simulations.get(name), began = performance.now()
    const wanted = texts.find(text => text !== simulation.live.values[control])
    const heard = ({detail}) => {
        if (detail.id !== name || detail.live.values[control] !== wanted) return
        document.removeEventListener('simulation', heard)
        requestAnimationFrame(() => resolve(performance.now() - began))
    }
    document.addEventListener('simulation', heard)
    simulation.setParameters({[control]: wanted})
})"""
SCRUBBED = ["degradation", "depth", ["8", "20"]]
ASKED = ["degradation", "measure", ["train", "test"]]


def p95(values: list[float]) -> float:
    return sorted(values)[max(0, round(0.95 * len(values)) - 1)]


def line(name: str, values: list[float], budget: float) -> None:
    """Milliseconds, all of them and their 95th percentile, against the goal for both."""
    note(name, values, "ms", budget)
    note(f"{name}, p95", [p95(values)], "ms", budget)


def first_paint(browser: Browser, server: Server) -> None:
    times: dict[str, list[float]] = {"": [], "degradation": []}
    for round_ in range(VISITS + 1):
        for path, milliseconds in times.items():
            context = browser.new_context(base_url=server.url)
            page = context.new_page()
            page.goto(path)
            page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
            # The first round is the browser's own start.
            if round_:
                milliseconds.append(page.evaluate(FIRST_PAINT))
            context.close()
    for path, milliseconds in times.items():
        line(f"first contentful paint, cold, /{path}", milliseconds, 300)


def picture(browser: Browser, server: Server) -> None:
    """The first picture with its result, on a cold visit to the place of a figure."""
    behind, whole = [], []
    for round_ in range(ROUNDS + 1):
        context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.add_init_script(PICTURE)
        page.goto("degradation#degradation")
        page.wait_for_function("() => window.seen.bundles && window.seen.picture")
        times = page.evaluate("window.seen")
        if round_:
            behind.append(times["picture"] - times["bundles"])
            whole.append(times["picture"])
        context.close()
    line("BokehJS has run → picture with result, cold", behind, 300)
    line("picture with result, cold, from the beginning of the visit", whole, 1200)


def open_page(browser: Browser, server: Server, query: str, name: str) -> tuple[Page, OnPage]:
    page = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"degradation{query}")
    return page, OnPage(page, name).ready()


def motion(browser: Browser, server: Server) -> None:
    first, rates = [], []
    for round_ in range(ROUNDS):
        page, simulation = open_page(browser, server, "?degradation.training_steps=2400", "degradation")
        page.evaluate(COUNT_FRAMES)
        button = simulation.button("Train")
        page.evaluate("() => addEventListener('pointerup', () => { window.clicked = performance.now() }, true)")
        button.click()
        page.wait_for_function("() => window.frames_seen.length >= 25")
        if round_:
            first.append(page.evaluate("window.frames_seen[0] - window.clicked"))
            frames = page.evaluate("window.frames_seen")
            rates.append((len(frames) - 1) / (frames[-1] - frames[0]) * 1000)
        page.context.close()
    line("Train → first motion, warm pool, depth 56", first, 150)
    note("pictures a second, one reader, depth 56", rates, "", 10, more=True)


@contextmanager
def training_readers(server: Server, count: int) -> Iterator[None]:
    """Other readers who train, each over a websocket of its own, reading every message."""
    ready, leave = threading.Barrier(2), threading.Event()

    async def one(started: asyncio.Event) -> None:
        async with RawClient(server.url, "degradation", **HEAVY) as client:
            await client.ask("play")
            await client.live(status="running")
            started.set()
            while not leave.is_set():
                await client.message()

    async def everybody() -> None:
        events = [asyncio.Event() for _ in range(count)]
        tasks = [asyncio.create_task(one(event)) for event in events]
        for event in events:
            await event.wait()
        await asyncio.to_thread(ready.wait)
        while not leave.is_set():
            await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    thread = threading.Thread(target=lambda: asyncio.run(everybody()))
    thread.start()
    ready.wait(120)
    try:
        yield
    finally:
        leave.set()
        thread.join()


def echo(browser: Browser, server: Server) -> None:
    """A control of the shelf, which asks the server for nothing, and one that a session answers."""
    for readers in (0, READERS):
        page, _ = open_page(browser, server, "", "degradation")
        if not readers:
            page.evaluate(ECHO, SCRUBBED)
            scrubs = [page.evaluate(ECHO, SCRUBBED) for _ in range(60)]
            if page.evaluate("window.simulations.get('degradation').link === null"):
                line("scrub → picture", scrubs, 50)
            else:
                print("  scrub → picture: not measured, `make build` has not made these states yet")
        for _ in range(10):
            page.evaluate(ECHO, ASKED)
        with training_readers(server, readers):
            times = [page.evaluate(ECHO, ASKED) for _ in range(60)]
        line(f"control → picture, {readers} other readers train", times, 150 if readers else 50)
        page.context.close()


def size(browser: Browser, server: Server) -> None:
    """What a first visit is sent until the first picture of the page can be touched."""
    for path in ("", "degradation#degradation"):
        context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.add_init_script(PICTURE)
        page.goto(path)
        page.mouse.move(600, 400)
        page.wait_for_function("() => window.seen.picture")
        sent = page.evaluate(SENT)
        note(f"/{path}: HTML and CSS, gzip", [sent["words"] / 1000], "kB", 60)
        note(f"/{path}: scripts, gzip", [sent["scripts"] / 1000], "kB", 700)
        context.close()


def main() -> None:
    """Print every figure beside its budget; run `make build` before, or the server makes pictures meanwhile."""
    with serving() as server, sync_playwright() as playwright:
        browser = chromium(playwright)
        try:
            began = time.perf_counter()
            server.load()
            complete(server)
            size(browser, server)
            open_page(browser, server, "", "degradation")[0].context.close()
            first_paint(browser, server)
            picture(browser, server)
            motion(browser, server)
            echo(browser, server)
            print(f"\n{json.loads(urllib.request.urlopen(server.url + '/health').read())}")
            print(f"in all {time.perf_counter() - began:.0f} s")
        finally:
            browser.close()
