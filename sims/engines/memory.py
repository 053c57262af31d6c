"""Memory that kernels work in."""

import numpy as np

CACHE_LINE = 64
"""Bytes; the arrays of a workspace begin with one, as vectors that lie across two take twice as long to load"""


def aligned(dtype: np.dtype, *shape: int) -> np.ndarray:
    """An array of that shape whose contents do not matter, and whose first number begins a cache line."""
    size = int(np.prod(shape))
    memory = np.empty(size + CACHE_LINE // dtype.itemsize, dtype)
    first = -memory.ctypes.data % CACHE_LINE // dtype.itemsize
    return memory[first : first + size].reshape(shape)
