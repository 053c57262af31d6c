"""Compiles the kernels without Python's global lock, and caches them on disk."""

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
"""Seconds after which the cached kernels of a version of the code are deleted, if no process has started with them"""


def code(source: str) -> str:
    """Return the part of a source that is compiled, as text: without comments, docstrings and line numbers."""
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
    """Describe the compiler and its target: the compilers' versions, the processor and its vector length."""
    name = config.CPU_NAME if config.CPU_NAME not in (None, "host") else binding.get_host_cpu_name()
    features = config.CPU_FEATURES
    if features is None:
        features = binding.get_host_cpu_features().flatten()
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, {name} {features}, {LANES}"


def fingerprint(engines: Path = FOLDER.parent) -> str:
    """Return a short hash of the code of all kernels in a folder and of the `machine`.

    A kernel is stale as soon as a kernel that it calls changes. Numba's cache looks only at single files and misses
    that, so every version of the code has its own cache folder.
    """
    digest = hashlib.sha256(machine().encode())
    for path in sorted(engines.glob("**/kernels/*.py")):
        digest.update(f"{path.relative_to(engines)} {code(path.read_text(encoding='utf-8'))}".encode())
    return digest.hexdigest()[:16]


def writable(folder: Path) -> Path:
    """Return the folder itself or, on a read-only disk, a copy of it among the temporary files: Numba does not read
    from a cache that it cannot write."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    copy = private() / folder.name
    if folder.is_dir() and not copy.is_dir():
        # The copy gets its final name only when it is complete, because another process may be copying, too.
        unfinished = Path(tempfile.mkdtemp(dir=copy.parent))
        shutil.copytree(folder, unfinished, dirs_exist_ok=True)
        with suppress(OSError):
            unfinished.rename(copy)
    return copy


def private() -> Path:
    """Return a folder among the temporary files to which only this user can have written.

    Code that is read from a cache is run. So a folder of that name that others made, or may write to, is not used.
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
    """Mark the folder as in use, and remove its siblings that no process has started with for a week.

    Worktrees and containers may share the parent folder, and a process that runs old code has its kernels in memory:
    the worst that can happen is that some are compiled again.
    """
    with suppress(OSError):
        os.utime(folder)
        for other in folder.parent.glob("kernels-*"):
            if other != folder and time.time() - other.stat().st_mtime > WEEK:
                shutil.rmtree(other, ignore_errors=True)


CACHE = writable(Path(config.CACHE_DIR or FOLDER / "__pycache__") / f"kernels-{fingerprint()}")
renew(CACHE)


class Locator(UserProvidedCacheLocator):
    """Tells Numba where a kernel is cached, and that the cache is never stale, because its folder is named by the code.

    Numba's own locators would compile a file's kernels again when a comment changes, or when a line above them does.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(CACHE / ".".join(Path(py_file).parent.relative_to(FOLDER.parent).parts))

    def get_source_stamp(self) -> str:
        """The name of the folder of compiled code, which contains the version of its source."""
        return CACHE.name

    def get_disambiguator(self) -> str:
        """The same for all kernels: the folder and the name of the function tell them apart."""
        return "kernel"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "Locator | None":
        """Return None for functions outside this package, for which Numba's own locators are used."""
        return cls(py_func, py_file) if Path(py_file).is_relative_to(FOLDER.parent) else None


OTHERS = "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
"""Numba's own locators, in its order"""

config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__},{config.CACHE_LOCATOR_CLASSES or OTHERS}"

OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
"""Dividing by zero gives infinity instead of an exception (`error_model`), no references are counted (`_nrt`), and no
entry points for C are compiled (`no_cfunc_wrapper`)"""

compiled = numba.njit(**OPTIONS)
"""Decorator of a kernel that Python may call. The compiler may not reorder sums, so that a kernel gives the same bits
wherever it is inlined; sums that must be fast are written with `vectors`. Kernels allocate no arrays: references are
not counted, because counting would cost more than a small sum. A kernel that is called with a constant is compiled for
that constant; to avoid slow recompilation, such values are passed in a `shapes.Plan`."""

enclosed = numba.njit(no_cpython_wrapper=True, **OPTIONS)
"""Decorator of a kernel that only kernels call: no entry point for Python is compiled, so Python must not call it."""

inlined = numba.njit(inline="always", **OPTIONS)
"""Decorator of a kernel that is pasted into its caller: one that returns a part of an array, or one that takes the
whole plan and workspace, which take longer to pass than many kernels take to run. Everything in it is compiled again at
every call site, so such kernels only select the arrays for others, and are called at few places."""
