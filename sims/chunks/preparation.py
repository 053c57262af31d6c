"""Getting everything ready that trainings need, compiled code above all: one chunk of each, the first page's first.
And what a server computes itself, once.

`python -m sims.chunks.preparation` does it and says on standard output, a line a training, how far it is.
"""

import hashlib
import importlib.metadata
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract.simulation import Training
from sims.paths import engine

ENGINES = Path(registry.__file__).parent / "engines"

READING_ORDER = (
    *("degradation", "insert_identity", "failures", "identity", "path_lengths", "network_jacobians", "landscape"),
    *(
        "ball",
        "last_layer",
        "stability",
        "pollute",
        "connectivity",
        "variants",
        "explorer",
        "interactions",
        "init",
        "arena",
    ),
    *("sweep", "lesion", "decision"),
    *(
        "correlated",
        "trained_towers",
        "rezero",
        "silent_bugs",
        "convolutions",
        "surgery",
        "spectrum",
        "memory",
        "roofline",
        "plateau",
        "ancestors",
        "stream_forms",
        "value_residual",
        "norms",
        "reversible",
        "language",
    ),
)
"""The trainings as the chapters bring them: what is compiled first is waited for first."""

IN_PYTORCH = (
    *("ancestors", "convolutions", "memory", "norms", "plateau", "reversible", "roofline"),
    *("stream_forms", "surgery", "trained_towers", "value_residual"),
)
"""Trainings of which nothing has to be compiled here that others do not compile. PyTorch takes seconds to import, and a
chunk of theirs takes some more: no worker waits for that before somebody asks for it."""


COMPILATION = {
    "degradation": 0.5,
    "insert_identity": 0.05,
    "identity": 0.06,
    "last_layer": 0.24,
    "stability": 0.12,
}
"""Training → its part of the time in which everything is compiled, where it is more than a hundredth; what it shares
with one before it counts there"""

USUALLY = 35.0
"""Seconds that the whole took on the machine on which these parts were measured."""


def seconds_left(done: Sequence[str], wanted: str, elapsed: float) -> float:
    """About how long it is until a training is ready, of which some are after so many seconds."""
    order = names()
    ahead = order[: order.index(wanted) + 1] if wanted in order else order
    spent = sum(COMPILATION.get(name, 0) for name in done)
    rate = elapsed / spent if spent else USUALLY
    left = rate * sum(COMPILATION.get(name, 0) for name in ahead if name not in done)
    return max(left if spent else left - elapsed, 1.0)


def names() -> list[str]:
    """All simulations, those of the chapters first and in the order of reading."""
    positions = {name: position for position, name in enumerate(READING_ORDER)}
    return sorted(registry.names(), key=lambda name: positions.get(name, len(positions)))


def prepare() -> Iterator[str]:
    """Run one chunk of every training, and name each when it has been run.

    What is broken in one must not keep the rest from its workers; its own runs will say what is wrong.
    """
    for name in names():
        try:
            simulation = registry.find(name)
            if not issubclass(simulation, Training):
                continue
            if name not in IN_PYTORCH:
                run_chunk(simulation, {}, None, 1)
        except Exception:
            traceback.print_exc(file=sys.stderr)
        yield name
    with suppress(OSError):
        _mark().parent.mkdir(parents=True, exist_ok=True)
        _mark().touch()


def load_instant() -> None:
    """Compute every simulation that is no training once: some load compiled code, which takes the first one a second.

    A broken one keeps nobody waiting; whoever looks at it is told what is wrong.
    """
    for name in names():
        try:
            simulation = registry.find(name)
            if not issubclass(simulation, Training):
                simulation().compute()
        except Exception:
            traceback.print_exc(file=sys.stderr)


def is_complete() -> bool:
    """Whether all of this code was compiled on this machine before, so that workers only have to load it."""
    return _mark().is_file()


def _mark() -> Path:
    """A file that says so. It is named for what compiles, what is compiled and for which processor, without importing
    the compiler: the server asks, which never loads it."""
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


if __name__ == "__main__":
    for done in prepare():
        print(done, flush=True)
