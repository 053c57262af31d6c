"""Loads everything that trainings need; imported once before workers are forked, so that each has it in memory.

A Dask worker does the same when it is started with `--preload sims.chunks.preload`.
"""

from sims.chunks.preparation import prepare

for _name in prepare():
    pass
