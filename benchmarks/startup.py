"""What a newcomer waits for: the first complete page and the first training, from nothing and at a second start."""

import json
import os
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks._figures import note
from tools.figure_on_page import OnPage
from tools.local_server import Server, chromium, free_port

TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(root: int) -> float:
    """Seconds of processor time of a process and of all that it has started, ended ones included."""
    parents: dict[int, list[int]] = {}
    spent: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(stat.parent.name)
        parents.setdefault(int(fields[1]), []).append(pid)
        spent[pid] = sum(map(int, fields[11:15])) / TICKS
    total, ahead = 0.0, [root]
    while ahead:
        pid = ahead.pop()
        total += spent.get(pid, 0.0)
        ahead += parents.get(pid, [])
    return total


def started(folder: str) -> Server:
    """A server whose kept pages, results and compiled engine lie in `folder`."""
    return Server(free_port(), {"SKIP_CACHE": folder, "NUMBA_CACHE_DIR": f"{folder}/engine"})


def first_page(server: Server) -> tuple[float, float]:
    """Seconds by the clock and of processor time from the command to the first page."""
    began = time.perf_counter()
    server.launch()
    while True:
        try:
            with urllib.request.urlopen(f"{server.url}/degradation", timeout=60) as answer:
                assert answer.status == 200
                assert b'class="pending"' not in answer.read()
            break
        except OSError:
            time.sleep(0.02)
    assert server.process is not None
    return time.perf_counter() - began, processor_time(server.process.pid)


def first_training(browser: Browser, server: Server, began: float) -> float:
    """Seconds since `began` until chapter 0 has trained its first steps."""
    page = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()
    page.goto("degradation")
    simulation = OnPage(page, "degradation")
    simulation.figure.scroll_into_view_if_needed()
    simulation.button("Train").click(timeout=300_000)
    page.wait_for_function(
        "() => /step [1-9]/.test(document.querySelector('#degradation .count').textContent)", timeout=300_000
    )
    page.context.close()
    return time.perf_counter() - began


def complete(server: Server) -> None:
    """Wait until every page is there."""
    while json.loads(urllib.request.urlopen(f"{server.url}/health").read())["state"] == "starting":
        time.sleep(0.05)


def start(browser: Browser, server: Server, name: str, goals: tuple[float | None, ...]) -> None:
    """One start, until a page is there, a network has trained, and everything is complete."""
    began = time.perf_counter()
    try:
        wall, spent = first_page(server)
        trained = first_training(browser, server, began)
        complete(server)
    finally:
        server.stop()
    labels = ("first complete page, by the clock", "the same, processor time", "chapter 0 trains, by the clock")
    for label, seconds, goal in zip(labels, (wall, spent, trained), goals, strict=True):
        note(f"{name}: {label}", [seconds], "s", goal)


def main() -> None:
    """Print each figure beside its goal."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = chromium(playwright)
        start(browser, started(folder), "from nothing", (10, None, 30))
        start(browser, started(folder), "second start", (None, 3, None))
        browser.close()


if __name__ == "__main__":
    main()
