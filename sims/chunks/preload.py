"""Imported once before workers are made: each of them starts with everything in memory, compiled code included.

A Dask worker does the same when it is started with `--preload sims.chunks.preload`.
"""

import sys
import traceback

from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract.simulation import Training

for name in registry.names():
    try:
        simulation = registry.find(name)
        if issubclass(simulation, Training):
            run_chunk(simulation, {}, None, 1)
    except Exception:
        # What is broken here must not keep the rest from its workers; its own runs will say what is wrong.
        traceback.print_exc(file=sys.stderr)
