"""Loads what trainings need, above all compiled code, by running one chunk of each, in the order of the pages; and what
a server needs for the simulations that it computes itself.

`python -m sims.chunks.preparation` does both, and prints the name of each training that is ready.
"""

import hashlib
import importlib.metadata
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract.simulation import Training
from sims.kept.lock import locked
from sims.kept.processes import collect_rarely
from sims.paths import engine, engine_lock

ENGINES = Path(registry.__file__).parent / "engines"

READING_ORDER = (
    *(
        "plus_signs",
        "passage",
        "degradation",
        "insert_identity",
        "failures",
        "identity",
        "path_lengths",
        "landscape",
    ),
    *(
        "ball",
        "last_layer",
        "stability",
        "connectivity",
        "pollute",
        "variants",
        "explorer",
        "interactions",
        "init",
        "arena",
    ),
    *("sweep", "decision"),
    *(
        "sum_weights",
        "correlated",
        "trained_towers",
        "rezero",
        "silent_bugs",
        "surgery",
        "lesion",
        "memory",
        "roofline",
        "plateau",
        "ancestors",
        "norms",
        "language",
        "network_jacobians",
        "spectrum",
        "find_illness",
        "convolutions",
        "stream_forms",
        "trained_lanes",
        "value_residual",
        "reversible",
    ),
)
"""The trainings in the order of the chapters: readers wait for the first ones first, so they are compiled first."""

IN_PYTORCH = (
    *("ancestors", "convolutions", "find_illness", "memory", "norms", "plateau", "reversible", "roofline"),
    *("stream_forms", "surgery", "trained_lanes", "trained_towers", "value_residual"),
)
"""Trainings that need no compiled code beyond that of the others, and so are not run here: PyTorch takes seconds to
import, and their chunks take more time. Workers pay for that only when somebody asks for such a training."""


SIZES = {"blocks": 4, "depth": 4, "inserted": 4, "seeds": 1}
"""Controls by which a network is large or a run is repeated → the least value with which a training needs every kernel
that it needs otherwise, where the control has no list of choices"""

COMPILATION = {
    "plus_signs": 0.16,
    "passage": 0.36,
    "insert_identity": 0.02,
    "identity": 0.03,
    "last_layer": 0.12,
    "stability": 0.13,
    "arena": 0.02,
    "language": 0.15,
}
"""Training → its share of the time to compile everything, if it is over 0.01; code that several trainings need counts
for the first of them"""

USUALLY = 70.0
"""Seconds to compile everything, on the machine on which these shares were measured."""


def seconds_left(done: Sequence[str], wanted: str, elapsed: float) -> float:
    """Estimate the seconds until the training `wanted` is ready, given the trainings `done` after `elapsed` seconds."""
    order = names()
    ahead = order[: order.index(wanted) + 1] if wanted in order else order
    spent = sum(COMPILATION.get(name, 0) for name in done)
    rate = elapsed / spent if spent else USUALLY
    left = rate * sum(COMPILATION.get(name, 0) for name in ahead if name not in done)
    # The rate already contains the elapsed time, unless it is only `USUALLY`.
    return max(left if spent else left - elapsed, 1.0)


def names() -> list[str]:
    """Return the names of all simulations: those of the chapters first, in the order of reading."""
    positions = {name: position for position, name in enumerate(READING_ORDER)}
    return sorted(registry.names(), key=lambda name: positions.get(name, len(positions)))


def smallest(training: type[Training]) -> dict[str, int]:
    """Return the settings of a small network and a single run, for which a training needs the kernels that it always
    needs. With the usual settings, loading them would take three times as long, most of it for the first frame."""
    settings = {}
    for name in SIZES.keys() & set(training.param):
        choices = getattr(training.param[name], "objects", None)
        settings[name] = min(choices) if choices else max(training.param[name].bounds[0], SIZES[name])
    return settings


def prepare() -> Iterator[str]:
    """Run one small chunk of every training, and yield the name of each when it is done.

    A broken simulation must not stop the others; its own runs will report the error.
    """
    for name in names():
        try:
            simulation = registry.find(name)
            if not issubclass(simulation, Training):
                continue
            if name not in IN_PYTORCH:
                run_chunk(simulation, smallest(simulation), None, 1)
        except Exception:
            traceback.print_exc(file=sys.stderr)
        yield name
    with suppress(OSError):
        _mark().parent.mkdir(parents=True, exist_ok=True)
        _mark().touch()


def load_instant() -> None:
    """Compute every instant simulation once: some load compiled code, for which the first reader would wait a second.

    A broken simulation must not stop the others; readers who open it will see the error.
    """
    for name in names():
        try:
            simulation = registry.find(name)
            if not issubclass(simulation, Training):
                simulation().compute()
        except Exception:
            traceback.print_exc(file=sys.stderr)


def is_complete() -> bool:
    """Whether all of this code has been compiled on this machine, so that workers only have to load it."""
    return _mark().is_file()


def _mark() -> Path:
    """Return the path of the marker file, whose name depends on the compiler, the kernels and the processor. This must
    not import the compiler, because the server calls it and never loads the compiler."""
    digest = hashlib.sha256()
    for path in sorted(ENGINES.rglob("kernels/*.py")):
        digest.update(path.read_bytes())
    for library in ("numba", "llvmlite", "numpy"):
        digest.update(importlib.metadata.version(library).encode())
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        digest.update("".join(sorted({line for line in lines if line.startswith(("model name", "flags"))})).encode())
    digest.update(os.environ.get("NUMBA_CPU_FEATURES", "").encode())
    return engine() / digest.hexdigest()[:16]


def main() -> None:
    """Compile everything, and print the name of each training that is ready."""
    collect_rarely()
    with ExitStack() as held:
        with suppress(OSError):  # a folder that cannot be written has no lock; compiling twice only takes longer
            held.enter_context(locked(engine_lock()))
        for name in prepare():
            print(name, flush=True)
    load_instant()


if __name__ == "__main__":
    main()
