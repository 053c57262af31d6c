"""`python -m app.server.warm`: compile the engine and compute the numbers of the prose, ahead of the first reader."""

import importlib
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

from app.server import handlers
from sims.kept import results
from sims.numbers.call import parse


def missing() -> Iterator[list[str]]:
    """The calls of all pages that are not in the cache, those of one run together."""
    runs: dict[str, dict[str, None]] = defaultdict(dict)
    for page in handlers.warm():
        for calculation, arguments in page.pending:
            words = [f"{name}={value!r}" for name, value in sorted(arguments.items())]
            runs[calculation.run(arguments)][f"{calculation.name}({', '.join(words)})"] = None
    for calls in runs.values():
        yield list(calls)


def compute(calls: list[str]) -> list[str]:
    """Compute and keep the values of calls; what came out, as lines."""
    return [f"{call} = {results.compute(*parse(call))}" for call in calls]


def main() -> None:
    """Compile, compute on all cores, and build every page once."""
    began = time.perf_counter()
    importlib.import_module("sims.chunks.preload")
    print(f"training engine ready after {time.perf_counter() - began:.0f} s", flush=True)
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as processes:
        for done in as_completed([processes.submit(compute, calls) for calls in missing()]):
            print("\n".join(done.result()), flush=True)
    print(f"all numbers ready after {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
