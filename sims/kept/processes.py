"""Work for all cores: one process a core, one thread a process, and none of them outlives who asked."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""As many processes as cores, with one thread each."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def done(work: Callable[[Item], Result], items: Iterable[Item]) -> Generator[tuple[Item, Result]]:
    """Each item with what `work` makes of it, in the order in which they are ready; begun in the order given.

    `work` and the items are picklable. What `work` raises is raised here. Closed early, it begins no more of them.
    """
    os.environ.update(ONE_THREAD)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=context, initializer=_end_with_parent) as processes:
        futures = {processes.submit(work, item): item for item in items}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            processes.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """A process whose parent was ended would compute on for minutes, for nobody."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=wait, daemon=True).start()
