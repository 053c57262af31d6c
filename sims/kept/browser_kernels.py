"""Keeps the engines' kernels for browsers in the cache, in a folder that is named by everything they are made from.

`python -m sims.kept.browser_kernels` builds what is missing. Compiling takes a hundred seconds of processor time, so
the modules are also stored with the code, in `shipped_kernels/`, and compiled only where the code has changed since.
`python -m sims.kept.browser_kernels --ship` (`make kernels`) stores them again.
"""

import gzip
import importlib.metadata
import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sims.kept import processes
from sims.kept.lock import locked
from sims.kept.provenance import version
from sims.kept.whole_file import write_whole
from sims.paths import engine_lock, wasm

LAST = "proof.json"
"""The file that is written last"""

ENGINES = ("perceptrons", "transformers", "language", "weighted_stack")
"""Each is compiled by a process of its own, the one that takes longest first."""

SHIPPED = Path(__file__).with_name("shipped_kernels")
"""The folder of the modules that are stored with the code, with `DESCRIPTION`"""

DESCRIPTION = "description.json"
"""The file that describes the functions of all modules"""

WEEK = 7 * 24 * 3600
"""Seconds for which the files of other versions are kept"""


@cache
def key() -> str:
    """Return the version of all files: of the code that makes them, with all kernels, and of the compiler."""
    makers = ("proof", "proof"), ("starting", "starting")
    code = [version(f"sims.engines.wasm.{module}", function, everything=True) for module, function in makers]
    return "-".join([modules_key(), *code, version("sims.kept.browser_kernels", "described")])


@cache
def modules_key() -> str:
    """Return the version of the modules alone: of the code that makes them, with all kernels, and of the compiler."""
    code = version("sims.engines.wasm.building", "built", everything=True)
    return "-".join([code, *map(importlib.metadata.version, ("numba", "llvmlite"))]).replace(".", "-")


def folder(name: str) -> Path:
    """Return the folder of a version; its files are compressed."""
    return wasm() / name


def complete(name: str) -> bool:
    """Whether the files of a version exist."""
    return (folder(name) / f"{LAST}.gz").is_file()


def read(name: str, file: str) -> bytes | None:
    """Return a file of a version, compressed with gzip, or None if it does not exist."""
    try:
        return (folder(name) / f"{file}.gz").read_bytes()
    except OSError:
        return None


def build() -> str:
    """Build what is missing for today's code, and return its version; a second process waits for the first one.

    Raises OSError if a file cannot be written.
    """
    name = key()
    if not complete(name):
        with locked(wasm().with_name("wasm.lock")):
            _make(name)
    _drop_others(name)
    return name


def _make(name: str) -> None:
    """Make the files of a version, unless another process just has."""
    if not complete(name):
        modules, engines = shipped() or compiled()
        _write(folder(name), modules | described(name, engines))
        # These run the kernels, which those processes no longer can. Another process may be compiling them right now.
        with locked(engine_lock()):
            for work in (_started, _proved):
                for _name, files in processes.done(work, [name]):
                    _write(folder(name), files)


def shipped() -> tuple[dict[str, bytes], dict[str, Any]] | None:
    """Return the modules that are stored with the code by name, and the descriptions of their engines; None if today's
    code would make others."""
    files = {path.stem: gzip.decompress(path.read_bytes()) for path in SHIPPED.glob("*.gz")}
    description = json.loads(files.pop(DESCRIPTION, b"{}"))
    return (files, description["engines"]) if description.get("version") == modules_key() else None


def compiled(engines: Iterable[str] = ENGINES) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Compile engines in processes of their own. Return all modules by name, and the descriptions of the engines."""
    modules: dict[str, bytes] = {}
    descriptions: dict[str, Any] = {}
    for engine, (files, description) in processes.done(_built, engines):
        modules |= files
        descriptions[engine] = description
    return modules, descriptions


def ship() -> None:
    """Store the modules of today's code with the code, unless they are there."""
    if shipped() is None:
        modules, engines = compiled()
        _write(SHIPPED, modules | described(modules_key(), engines))


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for file, data in sorted(files.items(), key=lambda file: file[0] == LAST):
        write_whole(folder / f"{file}.gz", gzip.compress(data, mtime=0))


def _built(engine: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    from sims.engines.wasm.building import built  # imports the compiler, which pages should not wait for

    processes.collect_rarely()
    return built(engine)


def described(name: str, engines: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the file that describes the functions of all modules, as JSON, by its name."""
    description = {"version": name, "engines": {engine: engines[engine] for engine in ENGINES}}
    return {DESCRIPTION: json.dumps(description, separators=(",", ":")).encode()}


def _started(_name: str) -> dict[str, bytes]:
    from sims.engines.wasm.starting import starting

    return starting()


def _proved(_name: str) -> dict[str, bytes]:
    from sims.engines.wasm.proof import proof

    return proof()


def _drop_others(name: str) -> None:
    """Mark a version as in use, and remove others that have not been for a week."""
    with suppress(OSError):
        os.utime(folder(name))
        for other in wasm().iterdir():
            if other.name != name and time.time() - other.stat().st_mtime > WEEK:
                shutil.rmtree(other, ignore_errors=True)


if __name__ == "__main__":
    ship() if "--ship" in sys.argv else build()
