"""The exponential function of a whole vector, with the same bits that the C library gives for each number.

The method is that of its `expf` (Arm's optimized routines, in glibc since version 2.27): e^x = 2^(k/32) · e^r with a
whole number k, a table of the 32 fractional powers and a polynomial of third degree, in double precision.
"""

from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sims.engines.kernels.compiled import enclosed
from sims.engines.kernels.vectors import LANES, Vector, lane, llvm_type, spread

PARTS = 32
TO_POWERS = float.fromhex("0x1.71547652b82fep+0") * PARTS
"""PARTS / ln 2"""
ROUNDING = float.fromhex("0x1.8p+52")
"""Added to a number, it leaves the nearest whole number in the last bits of the sum"""
COEFFICIENTS = (
    float.fromhex("0x1.c6af84b912394p-5") / PARTS**3,
    float.fromhex("0x1.ebfce50fac4f3p-3") / PARTS**2,
    float.fromhex("0x1.62e42ff0c52d6p-1") / PARTS,
    1.0,
)
RANGE = (-104.0, 89.0)
"""Outside this range, the result is 0 or infinity in single precision"""

WHOLE = ir.VectorType(ir.IntType(64), LANES)
DOUBLE = llvm_type(types.float64)
Generator = Callable[[Any, ir.IRBuilder, Any, Any], Any]


def _powers() -> list[int]:
    """For i from 0 to 31, the bits of 2^(i/32) minus i << 47, which `_single` adds again with the whole k."""
    with localcontext() as context:
        context.prec = 60
        exact = [float(Decimal(2) ** (Decimal(i) / PARTS)) for i in range(PARTS)]
    return [(int(np.float64(power).view(np.int64)) - (i << 47)) % 2**64 for i, power in enumerate(exact)]


def _all(number: float | int, kind: ir.VectorType) -> ir.Constant:
    return ir.Constant(kind, [number] * LANES)


def _single(builder: ir.IRBuilder, numbers: Any) -> Any:
    """The exponential of LANES numbers of single precision."""
    fused = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(DOUBLE, [DOUBLE] * 3), f"llvm.fma.v{LANES}f64"
    )
    cubic, square, linear, constant = (_all(coefficient, DOUBLE) for coefficient in COEFFICIENTS)
    scale, rounding = _all(TO_POWERS, DOUBLE), _all(ROUNDING, DOUBLE)
    # Without limits, the exponent's bits could overflow. A NaN fails both comparisons and stays NaN.
    for sign, bound in zip("<>", RANGE, strict=True):
        limit = _all(bound, numbers.type)
        numbers = builder.select(builder.fcmp_ordered(sign, numbers, limit), limit, numbers)
    x = builder.fpext(numbers, DOUBLE)
    rounded = builder.call(fused, [scale, x, rounding])
    count = builder.bitcast(rounded, WHOLE)
    rest = builder.call(fused, [scale, x, builder.fneg(builder.fsub(rounded, rounding))])
    # The last five bits of k choose the entry of the table. Shifted by 52 − 5 = 47, k adds its other bits to the
    # exponent, and the last five below it, which the table has subtracted.
    power = _looked_up(builder, builder.and_(count, _all(PARTS - 1, WHOLE)))
    power = builder.bitcast(builder.add(power, builder.shl(count, _all(47, WHOLE))), DOUBLE)
    high = builder.call(fused, [cubic, rest, square])
    low = builder.call(fused, [linear, rest, constant])
    value = builder.call(fused, [high, builder.fmul(rest, rest), low])
    return builder.fptrunc(builder.fmul(value, power), numbers.type)


def _looked_up(builder: ir.IRBuilder, indices: Any) -> Any:
    """The entries of the table at the indices, lane by lane."""
    kind = ir.ArrayType(ir.IntType(64), PARTS)
    table = cgutils.global_constant(builder, "powers_of_two", ir.Constant(kind, _powers()))
    zero, entries = ir.IntType(64)(0), ir.Constant(WHOLE, ir.Undefined)
    for number in range(LANES):
        place = ir.IntType(32)(number)
        entry = builder.gep(table, [zero, builder.extract_element(indices, place)], inbounds=True)
        entries = builder.insert_element(entries, builder.load(entry), place)
    return entries


@intrinsic
def exponential(typing: Any, vector: Vector) -> tuple[Any, Generator]:
    """e^x, lane by lane."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        if vector.dtype == types.float32:
            return _single(builder, arguments[0])
        kind = ir.FunctionType(DOUBLE, [DOUBLE])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.exp.v{LANES}f64")
        return builder.call(function, arguments)

    return vector(vector), generate


@enclosed
def exponential_of(number: float) -> float:
    """e^x of one number, with the same bits."""
    return lane(exponential(spread(number)), 0)
