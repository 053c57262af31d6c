"""How the kernels are compiled: without Python's lock, and kept on disk."""

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import numba
from numba import config

from sims.engines.kernels.vectors import LANES

FOLDER = Path(__file__).parent


def fingerprint() -> str:
    """A short name of the sources of all kernels and of the length of their vectors.

    A kernel is stale as soon as one that it calls changes, which Numba's cache, looking at single files, does not see;
    so every state of the sources has a folder of its own.
    """
    digest = hashlib.sha256(bytes([LANES]))
    for path in sorted(FOLDER.parent.glob("**/kernels/*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def writable(folder: Path) -> Path:
    """The folder itself, or, on a disk that cannot be written, a copy of it among the temporary files: Numba does not
    read from a cache that it cannot write."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    copy = Path(tempfile.gettempdir()) / folder.name
    if folder.is_dir() and not copy.is_dir():
        shutil.copytree(folder, copy)
    return copy


config.CACHE_DIR = str(writable(Path(config.CACHE_DIR or FOLDER / "__pycache__") / f"kernels-{fingerprint()}"))

OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}

compiled = numba.njit(**OPTIONS)
"""Decorator of a kernel that Python may call. The compiler may not reorder sums, so that a kernel gives the same bits
wherever it has been inlined; sums that have to be fast are written with `vectors`. Kernels make no arrays: references
are not counted, which would cost more than a small sum. A kernel called with a constant is compiled for that constant,
so what would take long to compile again is told by `shapes.Plan`."""

enclosed = numba.njit(no_cpython_wrapper=True, **OPTIONS)
"""Decorator of a kernel that only kernels call, which spares the compiler the way in from Python. Python must not call
it: there is nothing to call."""

inlined = numba.njit(inline="always", **OPTIONS)
"""Decorator of a kernel that is pasted where it is called: one that returns a part of an array, and one that is handed
the whole plan and workspace, which take longer to pass than many a kernel takes. Everything in it is compiled again at
every place, so such kernels only find the arrays for others and are called at few places."""
