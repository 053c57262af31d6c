"""Imported once before workers are made: each of them starts with everything in memory, compiled code included.

A Dask worker does the same when it is started with `--preload sims.chunks.preload`.
"""

from sims.chunks.preparation import prepare

for _name in prepare():
    pass
