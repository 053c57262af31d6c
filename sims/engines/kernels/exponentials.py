"""The exponential function of a whole vector, and the logarithm, without the C library's, whose last bits depend on
its version and on the processor.

Single precision: the method of the library's `expf` (Arm's optimized routines, in glibc since version 2.27), and its
bits: e^x = 2^(k/32) · e^r with a whole number k, a table of the 32 fractional powers and a polynomial of third degree,
in double precision. Double: e^x = 2^k · e^r, with the exponential's own series for e^r, |r| < 0.35; error below 3e-16.

Both give 0 for numbers below `LEAST`. Beside the 1 that every softmax contains, such a result is nothing in any
precision, but its products with gradients would be subnormal numbers (`negligible`).
"""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sims.engines.kernels.compiled import compiled, enclosed
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
LEAST = -41.5
"""e^LEAST is just below 1e-18"""
RANGE = {32: (-104.0, 89.0), 64: (-104.0, 709.78)}
"""Bits of the precision → where the exponent's bits cannot overflow. Above, the result is infinity."""
LN_2 = float.fromhex("0x1.62e42fefa39efp-1")
LN_2_REST = float.fromhex("0x1.abc9e3b39803fp-56")
"""ln 2 − LN_2"""
TERMS = 14
"""Terms of the series in double precision: the next one is below 5e-18"""

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


def _fused(builder: ir.IRBuilder) -> Any:
    """LLVM's product and sum with one rounding, of vectors of double precision."""
    kind = ir.FunctionType(DOUBLE, [DOUBLE] * 3)
    return cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f64")


def _clamped(builder: ir.IRBuilder, numbers: Any, bounds: tuple[float, float]) -> Any:
    """Numbers within bounds. A NaN fails both comparisons and stays NaN."""
    for sign, bound in zip("<>", bounds, strict=True):
        limit = _all(bound, numbers.type)
        numbers = builder.select(builder.fcmp_ordered(sign, numbers, limit), limit, numbers)
    return numbers


def _single(builder: ir.IRBuilder, numbers: Any) -> Any:
    """The exponential of LANES numbers of single precision within `RANGE`."""
    fused = _fused(builder)
    cubic, square, linear, constant = (_all(coefficient, DOUBLE) for coefficient in COEFFICIENTS)
    scale, rounding = _all(TO_POWERS, DOUBLE), _all(ROUNDING, DOUBLE)
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


def _double(builder: ir.IRBuilder, x: Any) -> Any:
    """The exponential of LANES numbers of double precision within `RANGE`."""
    fused, rounding = _fused(builder), _all(ROUNDING, DOUBLE)
    rounded = builder.call(fused, [_all(TO_POWERS / PARTS, DOUBLE), x, rounding])
    count, whole = builder.bitcast(rounded, WHOLE), builder.fneg(builder.fsub(rounded, rounding))
    rest = builder.call(fused, [whole, _all(LN_2, DOUBLE), x])
    rest = builder.call(fused, [whole, _all(LN_2_REST, DOUBLE), rest])
    value = _all(1 / math.factorial(TERMS - 1), DOUBLE)
    for power in range(TERMS - 2, -1, -1):
        value = builder.call(fused, [value, rest, _all(1 / math.factorial(power), DOUBLE)])
    # The value is near 1, so k can be added to the bits of its exponent.
    return builder.bitcast(builder.add(builder.bitcast(value, WHOLE), builder.shl(count, _all(52, WHOLE))), DOUBLE)


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
    """e^x, lane by lane; 0 where x is below `LEAST`."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        (numbers,), single = arguments, vector.dtype == types.float32
        least, most = RANGE[vector.dtype.bitwidth]
        value = (_single if single else _double)(builder, _clamped(builder, numbers, (least, most)))
        if not single:
            infinite = builder.fcmp_ordered(">", numbers, _all(most, numbers.type))
            value = builder.select(infinite, _all(math.inf, numbers.type), value)
        small = builder.fcmp_ordered("<", numbers, _all(LEAST, numbers.type))
        return builder.select(small, _all(0.0, numbers.type), value)

    return vector(vector), generate


@enclosed
def exponential_of(number: float) -> float:
    """e^x of one number, with the same bits."""
    return lane(exponential(spread(number)), 0)


@compiled
def logarithm(number: float) -> float:
    """ln x of a sum of exponentials that are at most 1, one of them 1: from 1 to their count, or NaN.

    x = 2^k m with m near 1, and ln m = 2 artanh((m − 1)/(m + 1)) by its series, in double precision; error below 3e-16.
    """
    rest, doublings = np.float64(number), 0
    while rest > 1.5 and doublings < 64:
        rest *= 0.5
        doublings += 1
    ratio = (rest - 1) / (rest + 1)
    square, series = ratio * ratio, 0.0
    # |ratio| is at most 1/5, so the first term that is left out is below 1e-18.
    for power in range(23, 0, -2):
        series = series * square + 1 / power
    return doublings * LN_2 + 2 * ratio * series
