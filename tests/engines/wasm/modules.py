"""The modules of today's code as a browser receives them: built once, and then kept in the cache."""

import gzip
import tempfile
from functools import cache
from pathlib import Path

from sims.kept import browser_kernels


@cache
def modules() -> Path:
    """Return a folder with all modules and their description."""
    packed = browser_kernels.folder(browser_kernels.build())
    folder = Path(tempfile.mkdtemp())
    for path in packed.glob("*.gz"):
        (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    return folder
