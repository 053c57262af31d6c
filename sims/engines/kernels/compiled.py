"""How the kernels are compiled: without Python's lock, and kept on disk."""

import ast
import hashlib
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding
from numba import config
from numba.core.caching import UserProvidedCacheLocator

from sims.engines.kernels.vectors import LANES

FOLDER = Path(__file__).parent

WEEK = 7 * 24 * 3600
"""Seconds after which the kernels of a state of the sources that no process has started with are thrown away"""


def code(source: str) -> str:
    """What of a source is compiled: neither comments nor docstrings nor the places of lines."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [statement for statement in node.body if not _is_text(statement)]
    return ast.dump(tree)


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def machine() -> str:
    """What compiles, and for what: the compilers' versions, the processor and the length of its vectors."""
    name = config.CPU_NAME if config.CPU_NAME not in (None, "host") else binding.get_host_cpu_name()
    features = config.CPU_FEATURES
    if features is None:
        features = binding.get_host_cpu_features().flatten()
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, {name} {features}, {LANES}"


def fingerprint(engines: Path = FOLDER.parent) -> str:
    """A short name of the code of all kernels below a folder and of the `machine`.

    A kernel is stale as soon as one that it calls changes, which Numba's cache, looking at single files, does not see;
    so every state of the code has a folder of its own.
    """
    digest = hashlib.sha256(machine().encode())
    for path in sorted(engines.glob("**/kernels/*.py")):
        digest.update(f"{path.relative_to(engines)} {code(path.read_text(encoding='utf-8'))}".encode())
    return digest.hexdigest()[:16]


def writable(folder: Path) -> Path:
    """The folder itself, or, on a disk that cannot be written, a copy of it among the temporary files: Numba does not
    read from a cache that it cannot write."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    copy = private() / folder.name
    if folder.is_dir() and not copy.is_dir():
        # Under its name only when it is whole: another process may be doing the same.
        unfinished = Path(tempfile.mkdtemp(dir=copy.parent))
        shutil.copytree(folder, unfinished, dirs_exist_ok=True)
        with suppress(OSError):
            unfinished.rename(copy)
    return copy


def private() -> Path:
    """A folder among the temporary files in which nobody but this user can have put anything.

    What is read from a cache is run; so a folder of that name that somebody else made, or may write to, is not taken.
    """
    folder = Path(tempfile.gettempdir()) / f"skip-connections-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    others_may_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not others_may_write:
        return folder
    return Path(tempfile.mkdtemp(prefix=f"{folder.name}-"))


def renew(folder: Path) -> None:
    """Note that the folder is in use, and remove those beside it that no process has started with for a week.

    Worktrees and containers may share the place, and a process that runs on old code has its kernels in memory: the
    worst that can happen is that some are compiled again.
    """
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.glob("kernels-*"):
            if other != folder and time.time() - other.stat().st_mtime > WEEK:
                shutil.rmtree(other, ignore_errors=True)


CACHE = writable(Path(config.CACHE_DIR or FOLDER / "__pycache__") / f"kernels-{fingerprint()}")
renew(CACHE)


class Locator(UserProvidedCacheLocator):
    """Tells Numba where a kernel is kept, and that what is kept there is never stale: the folder's name says so.

    Numba itself would compile a file's kernels again when a comment in it changes, and those below a changed line.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(CACHE / ".".join(Path(py_file).parent.relative_to(FOLDER.parent).parts))

    def get_source_stamp(self) -> str:
        return CACHE.name

    def get_disambiguator(self) -> str:
        return "kernel"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "Locator | None":
        """None for what is not a kernel of this package; Numba's own rules hold for it."""
        return cls(py_func, py_file) if Path(py_file).is_relative_to(FOLDER.parent) else None


OTHERS = "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
"""Numba's own, in its order"""

config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__},{config.CACHE_LOCATOR_CLASSES or OTHERS}"

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
