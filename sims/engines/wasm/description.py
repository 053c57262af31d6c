"""How a kernel's arguments lie in memory, for those who call it from JavaScript."""

from collections.abc import Iterator
from typing import Any

import numba
from numba import types

from sims.engines.wasm.recording import parameters

Argument = dict[str, Any]
"""`name`; `kind`: array, int, bool or float; for an array `type`, of its numbers, and `dimensions`"""

KINDS = {types.Integer: "int", types.Boolean: "bool", types.Float: "float"}


def described(kernel: Any, arguments: tuple[Any, ...]) -> list[Argument]:
    """Return the arguments of a kernel in the order in which Numba flattens them, from their types.

    Numba passes an array as seven or more numbers: an address for counting references, one of an owner, how many items
    it has, the size of one, the address of the first, all lengths, all strides in bytes. A named tuple becomes its
    fields; everything else is one number.
    """
    names = parameters(kernel)
    return [
        entry for name, value in zip(names, arguments, strict=True) for entry in _entries(name, numba.typeof(value))
    ]


def slots(arguments: list[Argument]) -> int:
    """Return the number of slots that the arguments fill."""
    return sum(5 + 2 * argument["dimensions"] if argument["kind"] == "array" else 1 for argument in arguments)


def _entries(name: str, of: Any) -> Iterator[Argument]:
    if isinstance(of, types.NamedTuple):
        for field, inner in zip(of.fields, of.types, strict=True):
            yield from _entries(f"{name}.{field}", inner)
    elif isinstance(of, types.Array):
        yield {"name": name, "kind": "array", "type": str(of.dtype), "dimensions": of.ndim}
    else:
        yield {"name": name, "kind": next(word for kind, word in KINDS.items() if isinstance(of, kind))}
