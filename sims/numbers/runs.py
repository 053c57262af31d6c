"""Computing long numbers on all cores: calls that read off the same run are computed together, each group once."""

import multiprocessing
import os
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

from sims.contract.calculation import Number
from sims.kept.book import code_of
from sims.numbers.call import parse

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""As many processes as cores, with one thread each."""

Found = dict[str, tuple[Number, str]]
"""Call → its value, and the version of the code that made it"""


def grouped(calls: Iterable[str]) -> list[list[str]]:
    """The calls, those of one run together."""
    runs: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        calculation, arguments = parse(call)
        runs[calculation.run(arguments)].append(call)
    return list(runs.values())


def compute(calls: list[str]) -> Found:
    """The values of some calls, computed now."""
    found: Found = {}
    for call in calls:
        calculation, arguments = parse(call)
        found[call] = calculation(**arguments), code_of(calculation)
    return found


def computed(groups: list[list[str]]) -> Iterator[Found]:
    """The values of each group, in the order in which they are ready."""
    os.environ.update(ONE_THREAD)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=context, initializer=_end_with_parent) as processes:
        for done in as_completed([processes.submit(compute, calls) for calls in groups]):
            yield done.result()


def _end_with_parent() -> None:
    """A process whose parent was ended would compute on for minutes, for nobody."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=wait, daemon=True).start()
