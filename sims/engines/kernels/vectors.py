"""SIMD vectors for Numba: the type, and the few operations from which the matrix products are built.

Numba compiles ordinary loops well, but cannot be told to keep a small block of a product in registers. With these
operations it does, and products of this package's small matrices run about three times as fast as with a BLAS.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

LANES = 16
"""Numbers per vector. It is the same on every processor, because sums are taken lane by lane: with another number of
lanes, they would be rounded differently. Sixteen numbers of single precision fill the longest registers, of 512 bits;
elsewhere, the compiler spreads a vector over several shorter registers."""


def long_registers() -> bool:
    """Whether the processor that Numba compiles for has registers of 512 bits. This may decide how many vectors are
    computed at the same time, which changes no bit, but not the order of a sum."""
    if config.CPU_FEATURES is not None:
        return "+avx512f" in config.CPU_FEATURES
    # If Numba compiles for another processor by name, its features are unknown: assume short registers.
    return config.CPU_NAME in (None, "host") and binding.get_host_cpu_features().get("avx512f", False)


INDEX = ir.IntType(32)


class Vector(types.Type):
    """Numba's type of a vector of floating-point numbers, with `LANES` lanes or a multiple.

    Longer vectors take several registers: while one register's sum waits for its previous addition, the others proceed.
    """

    def __init__(self, dtype: types.Float, lanes: int = LANES) -> None:
        self.dtype, self.lanes = dtype, lanes
        super().__init__(name=f"Vector({dtype}, {lanes})")


def llvm_type(dtype: types.Float, lanes: int = LANES) -> ir.VectorType:
    """LLVM's type of a vector of `lanes` numbers: float for single precision, else double."""
    return ir.VectorType(ir.FloatType() if dtype == types.float32 else ir.DoubleType(), lanes)


@register_model(Vector)
class VectorModel(models.PrimitiveModel):
    """How Numba represents a `Vector`: as a vector of LLVM."""

    def __init__(self, manager: Any, frontend: Vector) -> None:
        super().__init__(manager, frontend, llvm_type(frontend.dtype, frontend.lanes))


Generator = Callable[[Any, ir.IRBuilder, Any, Any], Any]


def _pointer(context: Any, builder: ir.IRBuilder, array_type: types.Array, lanes: int, array: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), llvm_type(array_type.dtype, lanes).as_pointer())


@intrinsic
def load(typing: Any, array: types.Array, offset: types.Integer) -> tuple[Any, Generator]:
    """The vector that starts `offset` numbers into the memory of a C-contiguous array."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], LANES, *arguments)
        return builder.load(pointer, align=array.dtype.bitwidth // 8)

    return Vector(array.dtype)(array, types.intp), generate


@intrinsic
def load_like(typing: Any, array: types.Array, offset: types.Integer, like: Vector) -> tuple[Any, Generator]:
    """`load` of a vector that is as long as another."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], like.lanes, *arguments[:2])
        return builder.load(pointer, align=array.dtype.bitwidth // 8)

    return like(array, types.intp, like), generate


@intrinsic
def store(typing: Any, array: types.Array, offset: types.Integer, vector: Vector) -> tuple[Any, Generator]:
    """Write a vector `offset` numbers into the memory of a C-contiguous array."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], vector.lanes, *arguments[:2])
        builder.store(arguments[2], pointer, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


@intrinsic
def spread(typing: Any, number: types.Float) -> tuple[Any, Generator]:
    """The vector that holds one number in every lane."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0], LANES)

    return Vector(number)(number), generate


@intrinsic
def spread_like(typing: Any, number: types.Float, like: Vector) -> tuple[Any, Generator]:
    """`spread` to a vector that is as long as another."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0], like.lanes)

    return like(number, like), generate


def _several(times: int) -> Any:

    @intrinsic
    def zeros(typing: Any, number: types.Float) -> tuple[Any, Generator]:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            return ir.Constant(llvm_type(number, times * LANES), None)

        return Vector(number, times * LANES)(number), generate

    return zeros


one_of, two_of, four_of = _several(1), _several(2), _several(4)
"""Zeros as long as one vector, two and four, of the type of a number"""


def _spread(builder: ir.IRBuilder, number: Any, lanes: int) -> Any:
    empty = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    first = builder.insert_element(empty, number, INDEX(0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(INDEX, lanes), [0] * lanes))


@intrinsic
def multiply_add(typing: Any, left: Vector, right: Vector, start: Vector) -> tuple[Any, Generator]:
    """left · right + start, lane by lane, with one rounding."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.call(_function(builder, "fma", start, 3), arguments)

    return start(left, right, start), generate


def _lane_by_lane(combine: Callable[[ir.IRBuilder, Any, Any], Any]) -> Any:
    """An operation on two vectors."""

    @intrinsic
    def operation(typing: Any, left: Vector, right: Vector) -> tuple[Any, Generator]:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            return combine(builder, *arguments)

        return left(left, right), generate

    return operation


add = _lane_by_lane(lambda builder, left, right: builder.fadd(left, right))
subtract = _lane_by_lane(lambda builder, left, right: builder.fsub(left, right))
multiply = _lane_by_lane(lambda builder, left, right: builder.fmul(left, right))
divide = _lane_by_lane(lambda builder, left, right: builder.fdiv(left, right))
larger = _lane_by_lane(lambda builder, left, right: builder.select(builder.fcmp_ordered(">", right, left), right, left))


@intrinsic
def root(typing: Any, vector: Vector) -> tuple[Any, Generator]:
    """The square root, lane by lane."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.call(_function(builder, "sqrt", vector, 1), arguments)

    return vector(vector), generate


def _function(builder: ir.IRBuilder, name: str, vector: Vector, arguments: int) -> Any:
    """LLVM's own function of that name for a vector."""
    kind = llvm_type(vector.dtype, vector.lanes)
    name = f"llvm.{name}.v{vector.lanes}f{vector.dtype.bitwidth}"
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind] * arguments), name)


@intrinsic
def widen(typing: Any, vector: Vector) -> tuple[Any, Generator]:
    """The same numbers in double precision."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return arguments[0] if vector.dtype == types.float64 else builder.fpext(arguments[0], llvm_type(types.float64))

    return Vector(types.float64)(vector), generate


def _halve(builder: ir.IRBuilder, first: Any, second: Any, lanes: int, groups: int) -> Any:
    """Concatenate two vectors, cut their lanes into groups, and add the upper half of each group to its lower half."""
    size = lanes // groups
    low, high = (
        builder.shuffle_vector(
            first,
            second,
            ir.Constant(
                ir.VectorType(INDEX, lanes // 2), [size * group + lane for group in range(groups) for lane in half]
            ),
        )
        for half in (range(size // 2), range(size // 2, size))
    )
    return builder.fadd(low, high)


@intrinsic
def total(typing: Any, vector: Vector) -> tuple[Any, Generator]:
    """The sum of the lanes, halves added to halves."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        (rest,), lanes = arguments, LANES
        while lanes > 1:
            rest, lanes = _halve(builder, rest, rest, lanes, 1), lanes // 2
        return builder.extract_element(rest, INDEX(0))

    return vector.dtype(vector), generate


@intrinsic
def lane(typing: Any, vector: Vector, number: types.Integer) -> tuple[Any, Generator]:
    """One number of a vector."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], builder.trunc(arguments[1], INDEX))

    return vector.dtype(vector, types.intp), generate


def _store_totals(side: int) -> Any:
    """Write the totals of side² vectors as `side` rows: the first row `offset` numbers into the memory of a
    C-contiguous array, and each row `apart` numbers after the previous one."""

    @intrinsic
    def store_square(
        typing: Any, array: types.Array, offset: types.Integer, apart: types.Integer, vectors: types.UniTuple
    ) -> tuple[Any, Generator]:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            # Every round packs two vectors into one whose groups are half as long, until each group is one total. That
            # takes fewer instructions than separate totals, and adds the same halves.
            rest, groups = list(cgutils.unpack_tuple(builder, arguments[3])), 1
            while len(rest) > 1:
                groups *= 2
                pairs = zip(rest[::2], rest[1::2], strict=True)
                rest = [_halve(builder, first, second, 2 * LANES, groups) for first, second in pairs]
            (totals,), lanes = rest, LANES
            while lanes > groups:
                totals, lanes = _halve(builder, totals, totals, lanes, groups), lanes // 2
            place, row_type = arguments[1], ir.VectorType(totals.type.element, side).as_pointer()
            for row in range(side):
                lanes_of_row = ir.Constant(ir.VectorType(INDEX, side), list(range(side * row, side * (row + 1))))
                numbers = builder.shuffle_vector(totals, totals, lanes_of_row)
                data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
                pointer = builder.bitcast(builder.gep(data, [place]), row_type)
                builder.store(numbers, pointer, align=array.dtype.bitwidth // 8)
                place = builder.add(place, arguments[2])
            return context.get_dummy_value()

        return types.void(array, types.intp, types.intp, vectors), generate

    return store_square


store_four_totals, store_sixteen_totals = _store_totals(2), _store_totals(4)
"""Write the totals of 4 vectors as two rows of two, and of 16 as four rows of four"""
