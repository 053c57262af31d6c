"""Compiled kernels that all engines share."""

import os

# LLVM's first level compiles in two thirds of the time that its third takes. The kernels give the same bits and run as
# fast, since loops are vectorized at every level, and what matters most is written with `vectors`. Numba reads this
# once, when it is imported.
os.environ.setdefault("NUMBA_OPT", "1")
