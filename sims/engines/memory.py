"""Allocates the arrays that kernels work in."""

import numpy as np

CACHE_LINE = 64
"""Bytes. Arrays of a workspace start on a cache line, because a vector on two lines takes twice as long to load"""


def aligned(dtype: np.dtype, *shape: int) -> np.ndarray:
    """Return an uninitialized array of that shape whose first number starts a cache line."""
    size = int(np.prod(shape))
    # One line more than needed, so that up to a line can be skipped at the front.
    memory = np.empty(size + CACHE_LINE // dtype.itemsize, dtype)
    first = -memory.ctypes.data % CACHE_LINE // dtype.itemsize
    return memory[first : first + size].reshape(shape)
