"""LLVM's object file as a module that a browser can load.

A linker would do three things: give functions their public names, find out what is imported, and put data into memory.
The object of a single LLVM module needs only the first: its data has addresses from 0 on, and what it imports is the
memory and the stack pointer. The formats: WebAssembly's binary format, and "Object file linking" of its tool
conventions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

CUSTOM, IMPORTS, EXPORTS, DATA = 0, 2, 7, 11
"""Kinds of sections"""
AFTER_EXPORTS = frozenset({8, 9, 10, 11, 12})
"""Sections that come after the exports: start, elements, code, data, and the count of data"""
SYMBOLS = 8
"""The symbol table's kind, within the section for linkers"""
FUNCTION, DATUM, SECTION = 0, 1, 3
"""Kinds of symbols"""
UNDEFINED, NAMED = 0x10, 0x40
"""Flags of symbols"""

RELAXED = {
    "f32x4.relaxed_min": (0x10D, 0xEA),
    "f32x4.relaxed_max": (0x10E, 0xEB),
    "f64x2.relaxed_min": (0x10F, 0xF6),
    "f64x2.relaxed_max": (0x110, 0xF7),
}
"""Relaxed instruction → its number, and that of the exact one (pmin, pmax) that LLVM has replaced by it"""


class Reader:
    """Reads numbers and texts from the bytes of a section."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        """Read a whole number ≥ 0 in variable length (LEB128). Raises IndexError at the end of the bytes."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def bytes(self, count: int) -> bytes:
        """Read the next `count` bytes; fewer at the end."""
        self.at += count
        return self.data[self.at - count : self.at]

    def text(self) -> str:
        """Read a text in UTF-8 that follows its length in bytes."""
        return self.bytes(self.number()).decode()

    def left(self) -> bool:
        """Whether there are bytes that have not been read."""
        return self.at < len(self.data)


def encoded(number: int) -> bytes:
    """Return a whole number ≥ 0 in WebAssembly's variable length (LEB128)."""
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes([*data, number])


def linked(data: bytes, exports: Iterable[str]) -> bytes:
    """Return the module of an object file, with these of its functions exported. Raises ValueError if one is missing,
    or if the object needs more than memory and a stack pointer."""
    sections = list(_sections(data))
    functions = {}
    for kind, body in sections:
        reader = Reader(body)
        if kind == CUSTOM and reader.text() == "linking":
            functions = _functions(reader)
        if kind == IMPORTS and (unknown := set(_imports(reader)) - {"__linear_memory", "__stack_pointer"}):
            raise ValueError(f"the module would import {', '.join(sorted(unknown))}")
    names = list(exports)
    if missing := [name for name in names if name not in functions]:
        raise ValueError(f"the object does not define {', '.join(missing)}")
    entries = [encoded(len(name)) + name.encode() + b"\0" + encoded(functions[name]) for name in names]
    table = _section(EXPORTS, encoded(len(names)) + b"".join(entries))
    module, waits = bytearray(data[:8]), True
    for kind, body in sections:
        if kind in AFTER_EXPORTS and waits:
            module += table
            waits = False
        if kind != CUSTOM:
            module += _section(kind, body)
    return bytes(module)


def data_size(module: bytes) -> int:
    """Return the number of bytes of memory, from address 0 on, that the module's own data fills.

    Raises ValueError if the address of any data is not a constant.
    """
    most = 0
    for kind, body in _sections(module):
        if kind == DATA:
            reader = Reader(body)
            for _segment in range(reader.number()):
                flags, opcode, start, end = (reader.number() for _ in range(4))
                if (flags, opcode, end) != (0, 0x41, 0x0B):
                    raise ValueError("data at an address that is no constant")
                size = reader.number()
                reader.bytes(size)
                most = max(most, start + size)
    return most


def exact(module: bytes, assembly: str) -> bytes:
    """Return the module with exact minima and maxima, and only products relaxed.

    With relaxed instructions allowed, LLVM also takes the relaxed minimum and maximum, whose results for NaN and for
    the sign of zero differ between processors. Their codes are as long as those of the exact ones. Raises ValueError if
    the bytes of a code appear more often in the module than the instruction does in its assembly.
    """
    counts = Counter(line.split()[0] for line in assembly.splitlines() if ".relaxed_" in line)
    for name, (relaxed, strict) in RELAXED.items():
        code = b"\xfd" + encoded(relaxed)
        if module.count(code) != counts[name]:
            raise ValueError(f"{counts[name]} instructions {name}, but {module.count(code)} times its code")
        module = module.replace(code, b"\xfd" + encoded(strict))
    return module


def _sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    reader = Reader(data)
    reader.bytes(8)
    while reader.left():
        kind = reader.number()
        yield kind, reader.bytes(reader.number())


def _section(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + encoded(len(body)) + body


def _imports(reader: Reader) -> Iterator[str]:
    """The names of what an object imports."""
    for _import in range(reader.number()):
        reader.text()
        yield reader.text()
        kind = reader.number()
        if kind == 1:  # a table
            reader.number()
        if kind in (1, 2):  # its limits, or a memory's
            limits = reader.number()
            for _limit in range(2 if limits & 1 else 1):
                reader.number()
        elif kind == 3:  # a global's type and whether it can change
            reader.bytes(2)
        elif kind == 0:
            reader.number()


def _functions(reader: Reader) -> dict[str, int]:
    """Name → index of the functions that an object defines, from its section for linkers."""
    reader.number()  # the version
    functions: dict[str, int] = {}
    while reader.left():
        kind, body = reader.number(), Reader(reader.bytes(reader.number()))
        if kind != SYMBOLS:
            continue
        for _symbol in range(body.number()):
            symbol, flags = body.number(), body.number()
            defined = not flags & UNDEFINED
            if symbol == DATUM:
                body.text()
                if defined:
                    for _place in range(3):
                        body.number()
            elif symbol == SECTION:
                body.number()
            else:
                index = body.number()
                if defined or flags & NAMED:
                    name = body.text()
                    if symbol == FUNCTION and defined:
                        functions[name] = index
    return functions
