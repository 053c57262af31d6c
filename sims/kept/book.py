"""Keeps the long numbers of the prose as text: for each, its value, the code that made it, and the machine it ran on.

Each number is one line, so that a change of code that changes a number shows as one line of the diff.
"""

import json
import logging
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version as release
from pathlib import Path
from typing import Any

import numpy as np

from sims.contract.calculation import Calculation, Number
from sims.kept.machine import processor
from sims.kept.provenance import LIBRARIES, version
from sims.kept.whole_file import write_whole

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Machine:
    """The machine and libraries that a number was computed with."""

    processor: str
    vectors: int
    """Numbers of single precision in one of the registers that the engines are compiled for"""
    libraries: str

    @classmethod
    def here(cls) -> "Machine":
        """Return the machine that this process runs on."""
        from sims.engines.kernels.vectors import long_registers

        libraries = [f"Python {platform.python_version()}", *(f"{library} {release(library)}" for library in LIBRARIES)]
        return cls(processor(), 16 if long_registers() else 8, ", ".join(libraries))


@dataclass(frozen=True)
class Entry:
    """A kept number: its value, the version of the code that made it, and the name of the machine in its book."""

    value: Number
    code: str
    on: str


def spelled(calculation: Calculation, arguments: Mapping[str, Any]) -> str:
    """Return a call as a text for `sims.numbers.call.parse`, the same for the same arguments in any order."""
    words = (f"{name}={value!r}" for name, value in sorted(arguments.items()))
    return f"{calculation.name}({', '.join(words)})"


def maker_of(calculation: Calculation, arguments: Mapping[str, Any]) -> tuple[str, str, frozenset[str]]:
    """Return what decides the version of a value: the module and name of its function, and the texts it is given."""
    function = calculation.function
    return function.__module__, function.__name__, frozenset(_texts_in(list(arguments.values())))


def code_of(calculation: Calculation, arguments: Mapping[str, Any]) -> str:
    """Return the version of the code that makes a calculation's value."""
    module, name, texts = maker_of(calculation, arguments)
    return version(module, name, texts=texts)


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in an argument, also those in lists and tuples."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts_in(item)


class NumberStore:
    """The kept numbers of one file. A missing file is an empty book. So is a damaged one if `lenient`: a server then
    shows its pages without the numbers, and logs it."""

    def __init__(self, path: Path, lenient: bool = False) -> None:
        self.path = path
        self._lenient = lenient
        self.stamp = -1
        """Modification time, in nanoseconds, of the file that the entries were read from; 0 for no file."""
        self.machines: dict[str, Machine] = {}
        self.entries: dict[str, Entry] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the file again if it has changed. Raises ValueError if it is damaged, unless lenient."""
        stamp = self.path.stat().st_mtime_ns if self.path.is_file() else 0
        if stamp == self.stamp:
            return
        self.stamp = stamp
        self.machines, self.entries = {}, {}
        try:
            if stamp:
                data = json.loads(self.path.read_text(encoding="utf-8"))
                machines = {name: Machine(**fields) for name, fields in data["machines"].items()}
                entries = {call: Entry(**fields) for call, fields in data["numbers"].items()}
                self.machines, self.entries = machines, entries
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if not self._lenient:
                raise ValueError(f"{self.path.name} is damaged: {error}") from None
            log.error("%s is damaged, and its numbers count as missing: %s", self.path.name, error)

    def value(self, calculation: Calculation, arguments: Mapping[str, Any]) -> Number | None:
        """Return the value of a call if the current code made it; else None."""
        entry = self.entries.get(spelled(calculation, arguments))
        return entry.value if entry and entry.code == code_of(calculation, arguments) else None

    def keep(self, values: Mapping[str, tuple[Number, str]]) -> None:
        """Add values by call, each with the version of the code that made it, and write the file atomically."""
        on = self._name(Machine.here())
        for call, (value, code) in values.items():
            self.entries[call] = Entry(value.item() if isinstance(value, np.generic) else value, code, on)
        self._write()

    def replace(self, entries: Mapping[str, Entry]) -> None:
        """Replace the entries of these calls, and write the file."""
        if entries:
            self.entries |= entries
            self._write()

    def drop(self, calls: set[str]) -> None:
        """Remove numbers that no page uses any more, and write the file."""
        if calls & set(self.entries):
            self.entries = {call: entry for call, entry in self.entries.items() if call not in calls}
            self._write()

    def _name(self, machine: Machine) -> str:
        for name, other in self.machines.items():
            if other == machine:
                return name
        # A new machine gets the lowest free number as its name.
        name = next(name for name in map(str, range(1, len(self.machines) + 2)) if name not in self.machines)
        self.machines[name] = machine
        return name

    def _write(self) -> None:
        used = {entry.on for entry in self.entries.values()}
        self.machines = {name: machine for name, machine in self.machines.items() if name in used}
        numbers = dict(sorted(self.entries.items()))
        text = f'{{\n"machines": {{\n{_lines(self.machines)}\n}},\n"numbers": {{\n{_lines(numbers)}\n}}\n}}\n'
        write_whole(self.path, text.encode())
        self.path.chmod(0o644)
        self.stamp = self.path.stat().st_mtime_ns


def _lines(entries: Mapping[str, Any]) -> str:
    return ",\n".join(
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(asdict(entry), ensure_ascii=False)}"
        for name, entry in entries.items()
    )
