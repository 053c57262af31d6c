"""Getting everything ready that trainings need, compiled code above all: one chunk of each, the first page's first.

`python -m sims.chunks.preparation` does it and says on standard output, a line a training, how far it is.
"""

import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract.simulation import Training

READING_ORDER = (
    *("degradation", "insert_identity", "failures", "identity", "network_jacobians", "path_lengths", "landscape"),
    *("ball", "last_layer", "stability", "pollute", "variants", "explorer", "interactions", "init", "arena"),
    *("sweep", "lesion", "decision"),
)
"""The trainings as the chapters bring them: what is compiled first is waited for first."""


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
            run_chunk(simulation, {}, None, 1)
        except Exception:
            traceback.print_exc(file=sys.stderr)
        yield name
    _mark().touch()


def is_complete() -> bool:
    """Whether all of this code was compiled on this machine before, so that workers only have to load it."""
    return _mark().is_file()


def _mark() -> Path:
    from sims.engines.kernels.compiled import CACHE

    return CACHE / "complete"


if __name__ == "__main__":
    for done in prepare():
        print(done, flush=True)
