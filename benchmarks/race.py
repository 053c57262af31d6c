"""`python -m benchmarks race`: a race of the usual six at depth 32, 250 steps, as a page has it run and by itself.

As a page: by the scheduler, on local workers, with a picture of every chunk; alone on the machine, and the first run,
which warms the workers up, is not counted. Beside the time by the clock stands the processor time of all workers.
"""

import asyncio
import time

from app.runs.jobs import Jobs, Update
from app.runs.local_workers import LocalWorkers
from benchmarks._figures import in_turns, note
from benchmarks.startup import processor_time
from sims.simulations.design_choices.arena import Arena

ROUNDS = 3
GOALS = {1: 4.0, 3: 10.0}
"""Seeds → seconds"""


async def in_a_page(jobs: Jobs, backend: LocalWorkers, seeds: int) -> tuple[float, float]:
    """Seconds by the clock and of the workers' processor time, from the first step to the last picture."""
    begun, finished = asyncio.Event(), asyncio.Event()

    async def deliver(update: Update) -> None:
        if update.frame:
            begun.set()
            if update.frame.finished:
                finished.set()

    run = jobs.open("reader", Arena, {"seeds": seeds}, deliver, lambda: True)
    await begun.wait()
    spent, began = sum(map(processor_time, backend.pids())), time.perf_counter()
    run.play()
    await finished.wait()
    wall, spent = time.perf_counter() - began, sum(map(processor_time, backend.pids())) - spent
    run.close()
    return wall, spent


async def pages() -> None:
    backend = LocalWorkers()
    jobs = Jobs(backend)
    for seeds, goal in GOALS.items():
        measured = [await in_a_page(jobs, backend, seeds) for _ in range(ROUNDS + 1)][1:]
        walls, spent = zip(*measured, strict=True)
        name = f"race, six entrants, depth 32, 250 steps, {seeds} seed{'s' * (seeds > 1)}"
        note(f"{name}: in a page, by the clock", walls, "s", goal)
        note(f"{name}: in a page, processor time", spent, "s")
    backend.close()


def main() -> None:
    asyncio.run(pages())
    for seeds, goal in GOALS.items():
        race = Arena(seeds=seeds)
        parts = {name: race.start()[name] for name in race.entrants}
        calls = {name: lambda lane=lane, steps=race.training_steps: lane.onward(steps) for name, lane in parts.items()}
        seconds = in_turns({"all": race.compute, **calls}, ROUNDS)
        name = f"race, six entrants, depth 32, 250 steps, {seeds} seed{'s' * (seeds > 1)}"
        note(f"{name}: by itself, processor time", seconds["all"], "s", goal)
        for entrant in parts:
            note(f"{name}: {entrant}", seconds[entrant], "s")
