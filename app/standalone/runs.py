"""Trainings of figures without a page: on workers of the notebook's kernel, or of the server that shows the figure."""

import asyncio
import atexit
from functools import cache

from app.runs import jobs
from app.runs.create_scheduler import create_scheduler

FRAMES_PER_SECOND = 6.0
"""Limit for a run: Jupyter drops messages if a kernel sends more than a megabyte a second"""


@cache
def scheduler() -> jobs.Jobs:
    """The one scheduler of this process, created with the first figure that trains; its workers end with the
    process."""
    pool, engine = create_scheduler(frames_per_second=FRAMES_PER_SECOND)
    if engine is not None:
        preparing = asyncio.get_running_loop().create_task(engine.prepare())
        preparing.add_done_callback(lambda _task: pool.warm())
        atexit.register(engine.end)
    atexit.register(pool.close)
    return pool


def open_run(reader: str) -> jobs.Open:
    """A function that opens the runs of one figure."""
    return lambda *arguments: scheduler().open(reader, *arguments)
