"""Switches how the processor treats subnormal numbers: those below 1e-38 in single precision, which have fewer digits.

Many processors take more than a hundred cycles for an operation on one, and a network with vanishing gradients or a
saturated softmax is full of them. So training steps flush them to zero, and measurements keep them.
The setting belongs to a thread. Code that changes it must restore it, so that no other code gets other results.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sims.engines.kernels.compiled import compiled, enclosed

Array = np.ndarray

SETTABLE = binding.get_process_triple().split("-")[0] in ("x86_64", "amd64", "i386", "i686")
"""Whether this processor has the register MXCSR; elsewhere nothing is flushed, and the kernels here do nothing"""

FLUSH = 0x8040
"""Bits of the register MXCSR: subnormal results become zero, and subnormal arguments count as zero (Intel's Software
Developer's Manual, volume 1, section 10.2.3)"""

UNDERFLOW = 0x10
"""Bit of MXCSR that is set when a result is too small, flushed or not, and stays set until it is cleared"""

FAINT = 1e-30
"""Norms of at least this size are so much larger than any subnormal number that flushing cannot change a digit of them
in single precision"""

Generator = Callable[[Any, ir.IRBuilder, Any, Any], Any]
REGISTER = ir.IntType(32)


def _call(builder: ir.IRBuilder, name: str, memory: Any) -> None:
    kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    builder.call(function, [builder.bitcast(memory, ir.IntType(8).as_pointer())])


@intrinsic
def control(typing: Any) -> tuple[Any, Generator]:
    """Return the register MXCSR, which says how this thread treats subnormal numbers; 0 on other processors."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        memory = cgutils.alloca_once_value(builder, REGISTER(0))
        if SETTABLE:
            _call(builder, "llvm.x86.sse.stmxcsr", memory)
        return builder.zext(builder.load(memory), ir.IntType(64))

    return types.int64(), generate


@intrinsic
def set_control(typing: Any, register: types.Integer) -> tuple[Any, Generator]:
    """Write the register MXCSR."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        if SETTABLE:
            memory = cgutils.alloca_once(builder, REGISTER)
            builder.store(builder.trunc(arguments[0], REGISTER), memory)
            _call(builder, "llvm.x86.sse.ldmxcsr", memory)
        return context.get_dummy_value()

    return types.void(types.int64), generate


@compiled
def flush_subnormals(flush: bool) -> None:
    """Make this thread flush subnormal numbers to zero, or keep them; and clear the `UNDERFLOW` bit for `hides`."""
    register = control() & ~(FLUSH | UNDERFLOW)
    set_control(register | FLUSH if flush else register)


@compiled
def hides(weight_gradients: Array, stream_gradients: Array, activations: Array) -> bool:
    """Whether flushing may have changed these measures (n,) of a pass that ran after `flush_subnormals`: some result
    was too small, and the least of the measures is below `FAINT`."""
    least = min(_least(weight_gradients), _least(stream_gradients), _least(activations))
    return control() & UNDERFLOW != 0 and least < FAINT


@enclosed
def _least(measures: Array) -> float:
    least = np.inf
    for i in range(measures.size):
        least = min(least, measures[i])
    return least
