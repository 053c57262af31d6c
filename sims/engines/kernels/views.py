"""Views of C-contiguous arrays: what slicing and reshaping return, in a few instructions.

Numba's own slices and reshapes handle strides and negative indices, and compiling that took most of the compiler's time
in passes that consist of views. Nothing is checked here.
"""

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils, errors
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

Generator = Callable[[Any, ir.IRBuilder, Any, Any], Any]


def _in_one_piece(array: types.Array) -> None:
    if not isinstance(array, types.Array) or array.layout != "C":
        raise errors.TypingError(f"{array} does not lie in one piece")


def _array(context: Any, builder: ir.IRBuilder, array_type: types.Array, data: Any, lengths: Sequence[Any]) -> Any:
    """Build a C-contiguous array of those lengths that begins at `data`."""
    size = context.get_constant(types.intp, array_type.dtype.bitwidth // 8)
    strides = [size]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    result = context.make_array(array_type)(context, builder)
    populate_array(result, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None)
    return result._getvalue()


@intrinsic
def view(typing: Any, array: types.Array, start: types.Integer, shape: types.UniTuple) -> tuple[Any, Generator]:
    """Return a view of that shape that begins `start` numbers into the memory of a C-contiguous array."""
    _in_one_piece(array)
    part = types.Array(array.dtype, len(shape), "C")

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        source = context.make_array(array)(context, builder, arguments[0])
        lengths = cgutils.unpack_tuple(builder, arguments[2])
        return _array(context, builder, part, builder.gep(source.data, [arguments[1]]), lengths)

    return part(array, types.intp, types.UniTuple(types.intp, len(shape))), generate


@intrinsic
def slot(typing: Any, arrays: types.Array, number: types.Integer) -> tuple[Any, Generator]:
    """Return arrays[number % slots] of a C-contiguous array (slots, ...); without slots, a view not to be read."""
    _in_one_piece(arrays)
    part = types.Array(arrays.dtype, arrays.ndim - 1, "C")

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        source = context.make_array(arrays)(context, builder, arguments[0])
        slots, *lengths = cgutils.unpack_tuple(builder, source.shape, arrays.ndim)
        one = context.get_constant(types.intp, 1)
        # Dividing by zero is undefined, so the remainder without slots is taken by 1.
        none = builder.icmp_signed("<", slots, one)
        start = builder.urem(arguments[1], builder.select(none, one, slots))
        for length in lengths:
            start = builder.mul(start, length)
        return _array(context, builder, part, builder.gep(source.data, [start]), lengths)

    return part(arrays, types.intp), generate


@intrinsic
def rows(typing: Any, array: types.Array, number: types.Integer) -> tuple[Any, Generator]:
    """Return the first `number` rows of a C-contiguous array (w, B); 0 rows serve as the empty `base` of kernels."""
    _in_one_piece(array)
    part = types.Array(array.dtype, 2, "C")

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        source = context.make_array(array)(context, builder, arguments[0])
        return _array(context, builder, part, source.data, (arguments[1], builder.extract_value(source.shape, 1)))

    return part(array, types.intp), generate


@intrinsic
def tail(typing: Any, array: types.Array, start: types.Integer) -> tuple[Any, Generator]:
    """Return the part of an array (n,) from index `start` on. Raises TypingError for arrays of other shapes."""
    _in_one_piece(array)
    if array.ndim != 1:
        raise errors.TypingError(f"{array} does not have one dimension")

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        source = context.make_array(array)(context, builder, arguments[0])
        left = builder.sub(source.nitems, arguments[1])
        return _array(context, builder, array, builder.gep(source.data, [arguments[1]]), (left,))

    return array(array, types.intp), generate


@intrinsic
def flat(typing: Any, array: types.Array) -> tuple[Any, Generator]:
    """Return a one-dimensional view (size,) of all numbers of a C-contiguous array of any shape."""
    _in_one_piece(array)
    part = types.Array(array.dtype, 1, "C")

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        source = context.make_array(array)(context, builder, arguments[0])
        return _array(context, builder, part, source.data, (source.nitems,))

    return part(array), generate
