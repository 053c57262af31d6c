"""Numba's own LLVM IR of a kernel, before any optimization.

After its passes, LLVM has turned fields of structures into byte offsets for 64-bit addresses. What Numba writes before
does not depend on the processor yet, apart from a few lines that `retargeting` replaces.
"""

import weakref
from typing import Any, NamedTuple

from numba import types
from numba.core import codegen, cpu
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock


def only_lower() -> None:
    """Make Numba stop after lowering, for the rest of this process, which can then run no kernel.

    These are private parts of Numba: its two hooks for optimization, the step that loads machine code, and the cache
    on disk, which holds machine code.
    """

    codegen.CPUCodeLibrary._optimize_functions = _nothing
    codegen.CPUCodeLibrary._optimize_final_module = _nothing
    codegen.CPUCodeLibrary._finalize_final_module = _keep
    codegen.JITCodeLibrary.get_pointer_to_function = _address
    cpu.CPUContext.get_executable = _callable
    FunctionCache.load_overload = _nothing
    FunctionCache.save_overload = _nothing


def _nothing(*_arguments: Any) -> None:
    pass


def _keep(library: Any) -> None:
    library._finalize_dynamic_globals()
    library._final_module.__library = weakref.proxy(library)
    library._finalized = True


def _address(*_arguments: Any) -> int:
    return 0


def _callable(*_arguments: Any) -> Any:
    """What stands for a compiled function: Numba tells them apart by it, so it is a new one every time."""
    return [].append


class Lowered(NamedTuple):
    """A kernel as IR, with everything that it calls."""

    ir: str
    name: str
    """Of the kernel in there"""
    returns: bool
    """Whether it returns a whole number, rather than nothing"""


def lowered(kernel: Any, arguments: tuple[Any, ...]) -> Lowered:
    """Return the IR of a kernel for arguments of these types. Needs `only_lower`."""
    kernel.compile(arguments)
    result = kernel.overloads[arguments]
    with global_compiler_lock:
        result.library._ensure_finalized()
    returns = isinstance(result.signature.return_type, types.Integer)
    return Lowered(str(result.library._final_module), result.fndesc.llvm_func_name, returns)
