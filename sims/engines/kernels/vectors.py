"""Several numbers in one register: the type and the few operations from which the matrix products are built.

Numba compiles ordinary loops well, but cannot be told to keep a small block of a product in registers; with these
operations it is, and the products of this package's small matrices run about three times as fast as through a BLAS.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model


def wide() -> bool:
    """Whether the processor that Numba compiles for has registers of 512 bits."""
    if config.CPU_FEATURES is not None:
        return "+avx512f" in config.CPU_FEATURES
    return config.CPU_NAME in (None, "host") and binding.get_host_cpu_features().get("avx512f", False)


LANES = 16 if wide() else 8
"""Numbers per vector; a narrower processor takes several registers for one."""

INDEX = ir.IntType(32)


class Vector(types.Type):
    """Numba's type of `LANES` numbers of one floating-point type."""

    def __init__(self, dtype: types.Float) -> None:
        self.dtype = dtype
        super().__init__(name=f"Vector({dtype}, {LANES})")


def llvm_type(dtype: types.Float) -> ir.VectorType:
    return ir.VectorType(ir.FloatType() if dtype == types.float32 else ir.DoubleType(), LANES)


@register_model(Vector)
class VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend: Vector) -> None:
        super().__init__(manager, frontend, llvm_type(frontend.dtype))


Generator = Callable[[Any, ir.IRBuilder, Any, Any], Any]


def _pointer(context: Any, builder: ir.IRBuilder, array_type: types.Array, array: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), llvm_type(array_type.dtype).as_pointer())


@intrinsic
def load(typing: Any, array: types.Array, offset: types.Integer) -> tuple[Any, Generator]:
    """The vector that starts `offset` numbers into the memory of a C-contiguous array."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=array.dtype.bitwidth // 8)

    return Vector(array.dtype)(array, types.intp), generate


@intrinsic
def store(typing: Any, array: types.Array, offset: types.Integer, vector: Vector) -> tuple[Any, Generator]:
    """Write a vector `offset` numbers into the memory of a C-contiguous array."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


@intrinsic
def spread(typing: Any, number: types.Float) -> tuple[Any, Generator]:
    """The vector that holds one number in every lane."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        empty = ir.Constant(llvm_type(number), ir.Undefined)
        first = builder.insert_element(empty, arguments[0], INDEX(0))
        return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(INDEX, LANES), [0] * LANES))

    return Vector(number)(number), generate


@intrinsic
def multiply_add(typing: Any, left: Vector, right: Vector, start: Vector) -> tuple[Any, Generator]:
    """left · right + start, lane by lane, with one rounding."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        vector_type = llvm_type(start.dtype)
        name = f"llvm.fma.v{LANES}f{start.dtype.bitwidth}"
        fused = cgutils.get_or_insert_function(builder.module, ir.FunctionType(vector_type, [vector_type] * 3), name)
        return builder.call(fused, arguments)

    return start(left, right, start), generate


@intrinsic
def widen(typing: Any, vector: Vector) -> tuple[Any, Generator]:
    """The same numbers in double precision."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return arguments[0] if vector.dtype == types.float64 else builder.fpext(arguments[0], llvm_type(types.float64))

    return Vector(types.float64)(vector), generate


def _halve(builder: ir.IRBuilder, first: Any, second: Any, lanes: int, groups: int) -> Any:
    """Cut the lanes of two vectors, one behind the other, into groups, and add the upper half of each to its lower."""
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
def store_totals(
    typing: Any, array: types.Array, offset: types.Integer, a: Vector, b: Vector, c: Vector, d: Vector
) -> tuple[Any, Generator]:
    """Write the four totals next to each other, `offset` numbers into the memory of a C-contiguous array."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        first, second, third, fourth = arguments[2:]
        left = _halve(builder, first, second, 2 * LANES, 2)
        right = _halve(builder, third, fourth, 2 * LANES, 2)
        rest, lanes = _halve(builder, left, right, 2 * LANES, 4), LANES
        while lanes > 4:
            rest, lanes = _halve(builder, rest, rest, lanes, 4), lanes // 2
        four = ir.VectorType(rest.type.element, 4).as_pointer()
        builder.store(rest, builder.bitcast(pointer, four), align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, a, b, c, d), generate
