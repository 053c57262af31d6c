"""Distributes work to all cores: one process per core, one thread per process, and none outlives its parent."""

import atexit
import gc
import multiprocessing
import os
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from sims.kept.environment import reproducible

USUAL = gc.get_threshold()
"""How often this process looked for unused objects before it was told to do so rarely"""

Item = TypeVar("Item")
Result = TypeVar("Result")


def done(work: Callable[[Item], Result], items: Iterable[Item]) -> Generator[tuple[Item, Result]]:
    """Yield each item with its result from `work`, in the order of completion; items start in the given order.

    `work` and the items must be picklable. Exceptions of `work` are raised here. If the generator is closed early, no
    more items are started.
    """
    os.environ.update(reproducible())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=context, initializer=_end_with_parent) as processes:
        futures = {processes.submit(work, item): item for item in items}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            processes.shutdown(cancel_futures=True)


def collect_rarely() -> None:
    """Look for unused objects less often in this process. Compiling, reading code and building pages make many objects
    that live long, and by default a tenth to a third of the time goes into looking for cycles among them.

    When the process ends, it does not look at all: that would take seconds, and its memory is given back in any case.
    """
    gc.set_threshold(100_000, 50, 100)
    atexit.register(gc.freeze)


def collect_as_usual() -> None:
    """Undo `collect_rarely`, except for the end of the process."""
    gc.set_threshold(*USUAL)


def _end_with_parent() -> None:
    """End this process when its parent ends: otherwise it would continue to compute for minutes, in vain."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=wait, daemon=True).start()
