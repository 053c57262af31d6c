"""One server under readers: what they wait for, what trainings keep, what a reader costs, and what is left of them.

`READERS` names the numbers of readers (default: a short series). With `MINUTES` the last of these numbers stays for so
long instead, and every minute is told: a soak.
"""

import asyncio
import json
import os
import statistics
import sys
import time
import urllib.request
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from benchmarks._client import Figure, Refused, fetch, figures, session
from benchmarks._crowd import Crowd, since
from benchmarks._figures import note
from benchmarks.startup import TICKS, complete
from sims.paths import ROOT
from tools.local_server import Server, serving

PAGES = ("degradation", "shortcut", "gradient-paths", "landscape", "norm-placement", "connectivity", "explorer")
SECONDS = 30
PARTS = 3
"""A figure is found in so many parts of the time, which tell its noise."""

CYCLES, OPENED = 5, 40
MOST = 1_000
STEADY = 5
"""Readings of memory, a second apart, that are the same to a MB when nothing is under way"""


def share(values: Sequence[float], part: float) -> float:
    """What this part of the values does not exceed."""
    return sorted(values)[max(0, round(part * len(values)) - 1)] if values else float("nan")


def milliseconds(values: Sequence[float], part: float) -> list[float]:
    """The same in each of some parts of the time, in milliseconds."""
    size = max(1, len(values) // PARTS)
    return [1e3 * share(values[start : start + size], part) for start in range(0, size * PARTS, size)][:PARTS]


def memory(server: Server) -> float:
    """MB that the server itself has in memory, without its workers."""
    assert server.process is not None
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE") / 1e6


def processor_time(server: Server) -> float:
    """Seconds of processor time of the server itself."""
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / TICKS


def held(server: Server) -> str:
    """Threads and open files of the server itself, in words."""
    assert server.process is not None
    of = Path(f"/proc/{server.process.pid}")
    return f"{len(list((of / 'task').iterdir()))} threads, {len(list((of / 'fd').iterdir()))} open files"


async def watched(url: str, seconds: float) -> dict[str, Any]:
    """What another process feels meanwhile."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks._watch", url, str(seconds)), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    measured: dict[str, Any] = json.loads(output)
    return measured


async def readers(server: Server, count: int, alone: float | None) -> float:
    """Note what so many readers feel, and return the pictures a second of a training."""
    before, crowd = memory(server), Crowd(server.url, PAGES)
    reading = asyncio.create_task(crowd.read(count))
    began, spent = time.monotonic(), processor_time(server)
    measured = await watched(server.url, SECONDS)
    spent = (processor_time(server) - spent) / (time.monotonic() - began)
    reading.cancel()
    moment = time.monotonic() - SECONDS
    waited, opened, late = (since(moment, samples) for samples in (crowd.waited, crowd.opened, crowd.late))
    rates = measured["rates"]
    label = f"{count} readers" if count else "nobody reads"
    if count:
        note(f"{label}: an answer, p95", milliseconds(waited, 0.95), "ms", 100)
        print(f"    {len(waited)} answers, {len(opened)} sessions, {crowd.refused} of all refused")
        note(f"{label}: memory that has come, for each", [1e3 * (memory(server) - before) / count], "kB")
        note(f"{label}: how late the measuring itself was, p99", milliseconds(late, 0.99), "ms")
    if opened:
        note(f"{label}: a session, until its picture moves", [1e3 * statistics.median(opened)], "ms")
    note(f"{label}, 5 train: a drag, p95", milliseconds(measured["drags"], 0.95), "ms", 150)
    note(f"{label}, 5 train: the smallest answer, p99", milliseconds(measured["small"], 0.99), "ms", 100)
    note(f"{label}, 5 train: of a core, what the server itself takes", [100 * spent], "%")
    note(f"{label}: pictures a second of each of 5 trainings", rates, "")
    if alone:
        note(f"{label}: of those that they have alone", [rate / alone for rate in rates], "", 0.8, more=True)
    say(crowd.failed + measured["ended"])
    return statistics.median(rates)


def say(events: Sequence[str]) -> None:
    """What happened, and how often."""
    for event in sorted(set(events)):
        print(f"    {events.count(event)} times: {event}")


async def all_figures(server: Server) -> list[Figure]:
    """Every figure of the pages."""
    return [figure for page in await fetch(server.url, *PAGES) for figure in figures(page.text())]


def health(server: Server) -> dict[str, Any]:
    """What the server says of itself."""
    with urllib.request.urlopen(f"{server.url}/health") as answer:
        status: dict[str, Any] = json.loads(answer.read())
    return status


async def gone(server: Server) -> None:
    """Wait until the server has noticed that all readers have left."""
    while health(server)["sessions"]:
        await asyncio.sleep(0.2)


async def settled(server: Server) -> float:
    """MB that are left when all have gone and their runs, up to 30 MB each, are on disk: the same for some seconds."""
    await gone(server)
    readings = [memory(server)]
    while len(readings) < STEADY or max(readings[-STEADY:]) - min(readings[-STEADY:]) > 1:
        await asyncio.sleep(1)
        readings.append(memory(server))
    return readings[-1]


async def places(server: Server) -> None:
    """Take every place, and look at what the next reader gets."""
    available, before, spent = await all_figures(server), memory(server), processor_time(server)
    opened, refused = 0, ""
    async with AsyncExitStack() as stack:
        while not refused and opened < MOST:
            try:
                await stack.enter_async_context(session(server.url, available[opened % len(available)]))
                opened += 1
            except Refused as error:
                refused = str(error)
        note(f"a live figure, of {opened} of all kinds: memory", [(memory(server) - before) / opened], "MB")
        spent = processor_time(server) - spent
        note("the same: processor time until it is there", [1e3 * spent / opened], "ms", 120)
        answers = await fetch(server.url, PAGES[0], f"{available[0].folder}/picture.json")
        note("the reader beyond them: page and picture", [1e3 * sum(answer.seconds for answer in answers)], "ms", 200)
        print(f"    {[answer.status for answer in answers]}; who reaches for a session is told: {refused}")
    await gone(server)


async def cycles(server: Server) -> None:
    """Open and close figures again and again."""
    available, left = await all_figures(server), []
    for _ in range(CYCLES):
        async with AsyncExitStack() as stack:
            for number in range(OPENED):
                await stack.enter_async_context(session(server.url, available[number % len(available)]))
        left.append(await settled(server))
    print("    MB after each cycle: " + ", ".join(f"{size:.0f}" for size in left))
    note(f"left after {CYCLES} cycles of {OPENED} figures opened and closed", [left[-1] - left[0]], "MB", 20)


async def soak(server: Server, count: int, minutes: int) -> None:
    """So many readers for so many minutes, and what is left when they are gone, against what every figure once and a
    first minute of them leave: code is loaded by what needs it first, and trainings that are under way have some ten MB
    more or less from one moment to the next."""
    print(f"  before anybody reads: {memory(server):.0f} MB, {held(server)}", flush=True)
    for figure in await all_figures(server):
        async with session(server.url, figure) as live:
            await live.answered(await live.ask("show"))
    crowd = Crowd(server.url, PAGES)
    reading = asyncio.create_task(crowd.read(count))
    await watched(server.url, 55)
    reading.cancel()
    begun = await settled(server)
    print(f"  after every figure and a first minute, when all have left: {begun:.0f} MB, {held(server)}", flush=True)
    crowd = Crowd(server.url, PAGES)
    reading = asyncio.create_task(crowd.read(count))
    answers, drags, small, rates, left, ended = [], [], [], [], [], []
    for minute in range(1, minutes + 1):
        crowd.waited.clear()
        measured = await watched(server.url, 55)
        answers.append(1e3 * share(since(0, crowd.waited), 0.95))
        drags.append(1e3 * share(measured["drags"], 0.95))
        small.append(1e3 * share(measured["small"], 0.99))
        rates.append(min(measured["rates"]))
        ended += measured["ended"]
        left.append(memory(server))
        print(
            f"  minute {minute}: {len(crowd.waited)} answers, p95 {answers[-1]:.0f} ms; a drag {drags[-1]:.0f} ms; "
            f"the smallest answer, p99 {small[-1]:.0f} ms; the slowest training has {rates[-1]:.1f} pictures a second; "
            f"{left[-1]:.0f} MB; {health(server)['sessions']} sessions, {held(server)}; "
            f"{len(crowd.failed)} failures so far",
            flush=True,
        )
    reading.cancel()
    label = f"{count} readers for {minutes} min"
    note(f"{label}: an answer, p95 of each minute", answers, "ms", 100)
    note(f"{label}: a drag, p95 of each minute", drags, "ms", 150)
    note(f"{label}: the smallest answer, p99 of each minute", small, "ms", 100)
    note(f"{label}: pictures a second of the slowest training", rates, "")
    note(f"{label}: memory while they read", left, "MB")
    note(f"{label}: failures", [len(crowd.failed)], "")
    note(f"{label}: trainings that ended early", [len(ended)], "")
    say(crowd.failed + ended)
    remaining = await settled(server)
    print(f"  after all have left: {remaining:.0f} MB, {held(server)}")
    note(f"{label}: memory that is left of them", [remaining - begun], "MB", 20)


async def series(server: Server, counts: Sequence[int]) -> None:
    """Nobody, then more and more readers; then every place, and cycles."""
    alone = await readers(server, 0, None)
    for count in counts:
        await readers(server, count, alone)
    await places(server)
    await cycles(server)


def main() -> None:
    """Print every figure beside its goal."""
    counts = [int(count) for count in os.environ.get("READERS", "1 10 50").split()]
    minutes = int(os.environ.get("MINUTES", "0"))
    with serving(SKIP_OPENINGS="1000") as server:  # all readers have one address here
        server.load()
        complete(server)
        asyncio.run(soak(server, counts[-1], minutes) if minutes else series(server, counts))
        faults = server.log().count("Traceback")
        note("errors in the server's log", [faults], "", 0 if faults else None)
        print(f"    load of the machine now: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
