"""What kernels work in begins a cache line."""

import numpy as np
import pytest

from sims.engines.memory import CACHE_LINE, aligned


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(3, 5), (7,), (0, 4), (2, 3, 64)])
def test_an_array_has_its_shape_and_begins_a_cache_line(dtype: type[np.floating], shape: tuple[int, ...]) -> None:
    array = aligned(np.dtype(dtype), *shape)
    assert (array.shape, array.dtype) == (shape, dtype)
    assert array.ctypes.data % CACHE_LINE == 0 or not array.size
    assert array.flags.c_contiguous
    array[...] = 1
