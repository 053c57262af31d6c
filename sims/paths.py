"""Paths of the repository, its content, and the cache with its folders.

The cache is the folder that the environment variable `SKIP_CACHE` names, or `.cache` in the repository. The variable is
read at each use.
"""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds `app`, `content` and `sims`"""

CONTENT = ROOT / "content"


def cache() -> Path:
    """The folder of all caches. Several servers may share it."""
    return Path(os.environ.get("SKIP_CACHE") or ROOT / ".cache")


def results() -> Path:
    """Last frames of complete runs (`sims/kept/results.py`)."""
    return cache() / "results"


def pages() -> Path:
    """Finished pages (`app/pages/output/cached_page.py`)."""
    return cache() / "pages"


def shelf() -> Path:
    """Precomputed figures (`app/prerender/store.py`)."""
    return cache() / "shelf"


def suspended_runs() -> Path:
    """Unfinished runs whose session has ended, unless `SKIP_RUNS` says otherwise (`app/runs/suspended_runs.py`)."""
    return cache() / "under-way"


def engine() -> Path:
    """Marker files that say that the whole engine was compiled on this machine (`sims/chunks/preparation.py`)."""
    return cache() / "engine"


def engine_lock() -> Path:
    """Held by the process that compiles the engine, so that others wait for its work instead of doing it, too."""
    return cache() / "engine.lock"


def benchmarks() -> Path:
    """What `make bench` measured (`benchmarks/_figures.py`)."""
    return cache() / "benchmarks"


def wasm() -> Path:
    """The engines' kernels as WebAssembly modules (`sims/kept/browser_kernels.py`)."""
    return cache() / "wasm"
