"""The environment of processes that compute: one thread each, and the same instructions on every processor.

The compiled engines sum in one order everywhere. NumPy and PyTorch do not: their libraries choose the longest vectors
that a processor has, and another length rounds differently, which changes a training like another seed. So they are
told to use what every x86 processor of the last ten years has, AVX2. On other processors nothing is set. Libraries read
these variables when they are loaded, so they must be set before: here, that is in the parent of the processes.

`python -m sims.kept.environment COMMAND…` runs a command with them, such as a Dask worker.
"""

import os
import platform
import sys
from pathlib import Path

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"),
    "1",
)
"""Use as many processes as cores, with one thread each: with two threads each, the same training was many times
slower."""

AVX2_ONLY = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    # MKL promises the same bits on processors of different makers only with this setting.
    "MKL_CBWR": "COMPATIBLE",
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
"""What PyTorch's own kernels, its two libraries, NumPy's library and NumPy itself are told"""


def has_avx2() -> bool:
    """Whether this is an x86 processor that is known to have AVX2."""
    if platform.machine() not in ("x86_64", "AMD64") or sys.platform != "linux":
        return False
    try:
        return " avx2 " in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def reproducible() -> dict[str, str]:
    """Return the variables to set for a process that computes."""
    return ONE_THREAD | (AVX2_ONLY if has_avx2() else {})


def is_reproducible() -> bool:
    """Return whether this process has the instructions of `reproducible`, so that others may use what it computes."""
    return all(os.environ.get(name) == value for name, value in reproducible().items() if name in AVX2_ONLY)


def fastest() -> dict[str, str]:
    """Return this process's environment without `AVX2_ONLY`, for a process that measures how fast the machine is."""
    return {name: value for name, value in os.environ.items() if name not in AVX2_ONLY}


if __name__ == "__main__":
    os.execvpe(sys.argv[1], sys.argv[1:], os.environ | reproducible())
