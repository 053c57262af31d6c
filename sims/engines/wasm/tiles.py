"""The tiles of matrix products for WebAssembly, whose vectors have 128 bits; most processors hold 16 of them.

The kernels' smallest tiles take 16 such vectors for their sums alone, and none is left for what is multiplied. Here the
same sums are taken in two halves, one after the other, with the same bits.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sims.engines.kernels import matmul
from sims.engines.kernels.compiled import enclosed, inlined
from sims.engines.kernels.vectors import (
    LANES,
    Generator,
    Vector,
    llvm_type,
    load,
    multiply_add,
    one_of,
    spread,
    store_four_totals,
)

Array = np.ndarray
HALF = LANES // 2

_tile = matmul._tile


def use_small_tiles() -> None:
    """Let kernels that are compiled from now on take their sums in small tiles."""
    matmul.TILE, matmul._tile_of, matmul.LONG_REGISTERS = LANES, one_of, False
    matmul._tile, matmul._square_of_two = _two_tiles, _two_rows


@intrinsic
def _half_of(typing: Any, number: types.Float) -> tuple[Any, Generator]:
    """Zeros, half as many as a vector has lanes, of the type of a number."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return ir.Constant(llvm_type(number, HALF), None)

    return Vector(number, HALF)(number), generate


@inlined
def _two_tiles(
    left: Array,
    source: Array,
    first: int,
    apart: int,
    starts: Array,
    base: Array,
    out: Array,
    i: int,
    j: int,
    zero: Any,
) -> None:
    """`matmul._tile`, one half of its columns after the other."""
    half = _half_of(out.dtype.type(0))
    _tile(left, source, first, apart, starts, base, out, i, j, half)
    _tile(left, source, first + HALF, apart, starts, base, out, i, j + HALF, half)


@enclosed
def _two_rows(left: Array, right: Array, out: Array, i: int, j: int) -> None:
    """`matmul._square_of_two`, one row after the other."""
    batch = left.shape[1]
    a0 = a1 = b0 = b1 = spread(left.dtype.type(0))
    for b in range(0, batch - batch % LANES, LANES):
        row = load(left, i * batch + b)
        a0 = multiply_add(row, load(right, j * batch + b), a0)
        a1 = multiply_add(row, load(right, (j + 1) * batch + b), a1)
    for b in range(0, batch - batch % LANES, LANES):
        row = load(left, (i + 1) * batch + b)
        b0 = multiply_add(row, load(right, j * batch + b), b0)
        b1 = multiply_add(row, load(right, (j + 1) * batch + b), b1)
    columns = out.shape[1]
    store_four_totals(out, i * columns + j, columns, (a0, a1, b0, b1))
