"""Our kernels in a reader's browser beside TensorFlow Playground's engine in the same page, and beside native code."""

import gzip
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks._figures import in_turns, not_compared, note, ratios
from benchmarks._playground import Missing, compiled
from sims.data.datasets import source
from sims.engines.perceptrons import Architecture, Recipe, advance, start
from sims.engines.wasm.starting import starting
from sims.kept import browser_kernels
from tools.file_server import serving_files
from tools.firefox import Firefox
from tools.local_server import chromium

ROUNDS, UPDATES, MAPS = 15, 400, 10
"""A round takes so many updates and maps: the clock of Firefox ticks once a millisecond."""

COUNTS = json.dumps({"rounds": ROUNDS, "updates": UPDATES, "maps": MAPS})
RECIPE = Recipe("sgd", 0.03, 10, loss="squared error", record_every=10_000)
SHAPES = {"32 hidden layers of width 8": (33, 8), "6 hidden layers of width 8": (7, 8), "16 of width 32": (17, 32)}


def network(depth: int, width: int) -> Architecture:
    """Playground's network, which counts hidden layers; we count linear ones."""
    return Architecture(depth, width, "none", "none", "one-layer", "relu", "uniform", squashed=True)


def measured(browser: str, evaluate: Callable[[str], Any]) -> None:
    """Print an update and a map of 64 × 64 places; `evaluate` calls a function in a page of this browser."""
    for words, (depth, width) in SHAPES.items():
        task = json.dumps({"architecture": asdict(network(depth, width)), "recipe": asdict(RECIPE)})
        comparison = evaluate(f"() => import('/benchmarks/tab.js').then(tab => tab.compare({task}, {COUNTS}))")
        for what in ("update", "map"):
            ours, theirs = comparison["ours"][what], comparison["theirs"][what]
            note(f"{browser}, {words}: our {what}", ours, "ms")
            note(f"{browser}, {words}: Playground's {what} over ours", ratios(theirs, ours), "×")


def native() -> None:
    for words, (depth, width) in SHAPES.items():
        state = advance(start(network(depth, width), RECIPE, source("playground"), (0,)), UPDATES)
        seconds = in_turns({"update": lambda state=state: advance(state, UPDATES)}, ROUNDS)["update"]  # type: ignore[misc]
        note(f"native code, {words}: our update", [1e3 * comparison / UPDATES for comparison in seconds], "ms")


def main() -> None:
    """Print all of it, for Chromium, and for Firefox where there is one."""
    native()
    folder = Path(tempfile.mkdtemp())
    try:
        script = compiled("es2020")
    except Missing as missing:
        not_compared("TensorFlow Playground's update over ours, in a browser", str(missing))
        return
    (folder / "playground.js").write_text(script, encoding="utf-8")
    for name, content in starting().items():
        (folder / name).write_bytes(content)
    for path in browser_kernels.folder(browser_kernels.build()).glob("*.gz"):
        (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    with serving_files(folder) as url:
        with sync_playwright() as playwright:
            browser = chromium(playwright)
            page = browser.new_page()
            page.goto(f"{url}benchmarks/", wait_until="load")
            measured("Chromium", page.evaluate)
            browser.close()
        if program := shutil.which("firefox-esr") or shutil.which("firefox"):
            with Firefox(program) as opened:
                opened.goto(f"{url}benchmarks/")
                measured("Firefox", opened.evaluate)
    shutil.rmtree(folder)
