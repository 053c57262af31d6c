"""Where the time to the first words of a page goes, by Chromium's own trace: `python -m benchmarks.first_words URL …`
measures servers that run already, in turns.

Every round has a new browser context, so that nothing is in its cache. "All" is by the clock; the processor time of the
page's main thread up to the first contentful paint is told by what it was spent on. The rest it waited: for the server,
for other processes of the browser, or for its turn.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks._figures import note
from tools.local_server import chromium, serving

ROUNDS = 11
PAGE = "degradation"
CATEGORIES = "devtools.timeline,blink.user_timing,loading,disabled-by-default-devtools.timeline"
KINDS: Mapping[str, tuple[str, ...]] = {
    "reading HTML": ("ParseHTML",),
    "scripts": ("EvaluateScript", "v8.compile", "v8.compileModule", "v8.evaluateModule", "FunctionCall"),
    "styles": ("UpdateLayoutTree", "ParseAuthorStyleSheet"),
    "layout": ("Layout",),
    "painting": ("PrePaint", "Paint", "Layerize", "Commit"),
}
"""What the main thread does → names in the trace"""

SHIFTS = """() => new Promise(resolve => {
    let sum = 0
    new PerformanceObserver(list => {
        for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value
    }).observe({type: 'layout-shift', buffered: true})
    setTimeout(() => resolve(sum), 300)
})"""


def traced(browser: Browser, url: str) -> tuple[dict[str, float], float]:
    """Milliseconds of one cold visit up to the first contentful paint, by kind, and how far things jumped."""
    context = browser.new_context(base_url=url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    client = context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    client.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    done: list[bool] = []
    client.on("Tracing.tracingComplete", lambda _data: done.append(True))
    client.send("Tracing.start", {"transferMode": "ReportEvents", "categories": CATEGORIES})
    page.goto(PAGE)
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    jumped = page.evaluate(SHIFTS)
    client.send("Tracing.end")
    while not done:
        page.wait_for_timeout(20)
    context.close()
    return spent(events), jumped


def spent(events: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The same of the events of a trace."""
    words = next(event for event in events if event["name"] == "firstContentfulPaint")
    began = next(
        event["ts"]
        for event in sorted(events, key=lambda item: -item["ts"])
        if event["name"] == "navigationStart" and event["pid"] == words["pid"] and event["ts"] <= words["ts"]
    )
    times: dict[str, float] = defaultdict(float)
    times["all"] = (words["ts"] - began) / 1e3
    counted = {name for names in KINDS.values() for name in names}
    main = [
        event
        for event in events
        if event["ph"] == "X"
        and event["name"] in counted
        and (event["pid"], event["tid"]) == (words["pid"], words["tid"])
        and began <= event["ts"] < words["ts"]
    ]
    for kind, names in KINDS.items():
        times[kind] = sum(own(event, main) for event in main if event["name"] in names) / 1e3
    return times


def own(event: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> float:
    """Microseconds of processor time of an event, without what lies in it and has a kind of its own."""
    inside = [item for item in events if item is not event and within(item, event)]
    outermost = [item for item in inside if not any(other is not item and within(item, other) for other in inside)]
    return float(event.get("tdur", 0) - sum(inner.get("tdur", 0) for inner in outermost))


def within(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    """Whether an event lies in another."""
    return bool(outer["ts"] <= inner["ts"] and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"])


def compare(browser: Browser, urls: Mapping[str, str]) -> None:
    """Servers in turns."""
    times_by_name: dict[str, list[dict[str, float]]] = {name: [] for name in urls}
    jumps: dict[str, list[float]] = {name: [] for name in urls}
    for round_ in range(ROUNDS + 1):
        for name, url in urls.items():
            times, jumped = traced(browser, url)
            if round_:  # the first is the browser's own start
                times_by_name[name].append(times)
                jumps[name].append(jumped)
    for name, rounds in times_by_name.items():
        for kind in rounds[0]:
            note(f"/{PAGE}{name}: {kind}", [times[kind] for times in rounds], "ms", 300 if kind == "all" else None)
        note(f"/{PAGE}{name}: layout shift", jumps[name], "")


def main(urls: Sequence[str] = ()) -> None:
    """Print where the time goes."""
    with ExitStack() as stack:
        visited = urls or [stack.enter_context(serving()).url]
        playwright = stack.enter_context(sync_playwright())
        browser = chromium(playwright)
        compare(browser, {f" at {url}" if len(visited) > 1 else "": url for url in visited})
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
