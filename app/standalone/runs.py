"""Trainings of figures without a page: on workers of the notebook's kernel, or of the server that shows one of them."""

import asyncio
import atexit
from functools import cache

from app.runs import jobs
from app.runs.create_scheduler import create_scheduler

FRAMES_PER_SECOND = 6.0
"""Of a run: Jupyter drops messages where a kernel sends more than a megabyte a second"""


@cache
def scheduler() -> jobs.Jobs:
    """The one scheduler of this process, made with the first figure that trains; its workers end with the process."""
    pool, engine = create_scheduler(frames_per_second=FRAMES_PER_SECOND)
    if engine is not None:
        preparing = asyncio.get_running_loop().create_task(engine.prepare())
        preparing.add_done_callback(lambda _task: pool.warm())
        atexit.register(engine.end)
    atexit.register(pool.close)
    return pool


def open_run(reader: str) -> jobs.Open:
    """How the runs of one figure are opened."""
    return lambda *arguments: scheduler().open(reader, *arguments)
