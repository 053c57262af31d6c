"""Imported once before workers are made: each of them starts with everything in memory, compiled code included.

A Dask worker does the same when it is started with `--preload sims.chunks.preload`. How far it has come stands in the
file that the environment variable `SKIP_PRELOAD_PROGRESS` names, if it names one: a server that waits reads it there.
"""

import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract.simulation import Training

PROGRESS = "SKIP_PRELOAD_PROGRESS"

READING_ORDER = (
    *("degradation", "insert_identity", "failures", "identity", "network_jacobians", "path_lengths", "landscape"),
    *("ball", "last_layer", "stability", "pollute", "variants", "explorer", "interactions", "init", "arena"),
    *("sweep", "lesion", "decision"),
)
"""The trainings as the chapters bring them: what is compiled first is waited for first."""


class Progress(NamedTuple):
    """How far the preparation is: so many of all trainings are done, and the named one is under way, if any."""

    done: int
    total: int
    training: str

    def __str__(self) -> str:
        return " ".join(str(part) for part in self)


def progress(told: str) -> Progress:
    """The text of a `Progress` read again. Raises ValueError where it is none."""
    done, total, training = told.split(" ")
    return Progress(int(done), int(total), training)


def trainings() -> dict[str, type[Training]]:
    """All of them by name, in the order of reading; those that no chapter shows come last."""
    found = {name: each for name, each in registry.simulations().items() if issubclass(each, Training)}
    place = {name: place for place, name in enumerate(READING_ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: place.get(name, len(place)))}


def prepared() -> Iterator[Progress]:
    """Run one chunk of every training, and say so before each and at the end.

    What is broken in one must not keep the rest from its workers; its own runs will say what is wrong.
    """
    try:
        chosen = trainings()
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return
    for done, (name, training) in enumerate(chosen.items()):
        yield Progress(done, len(chosen), name)
        try:
            run_chunk(training, {}, None, 1)
        except Exception:
            traceback.print_exc(file=sys.stderr)
    yield Progress(len(chosen), len(chosen), "")


def _prepare() -> None:
    place = os.environ.get(PROGRESS)
    for so_far in prepared():
        if place:
            unfinished = Path(f"{place}.{os.getpid()}")
            unfinished.write_text(str(so_far), encoding="utf-8")
            unfinished.replace(place)


_prepare()
