"""The long numbers of the prose, kept as text: for each its value, the code that made it, and the machine it ran on.

One line is one number, so that a change of code which moves a number shows as a line of the diff.
"""

import json
import logging
import platform
from collections.abc import Mapping
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
    """What a number was computed on."""

    processor: str
    vectors: int
    """Numbers of single precision in a register of the compiled engine"""
    libraries: str

    @classmethod
    def here(cls) -> "Machine":
        """The one that this process runs on."""
        from sims.engines.kernels.vectors import LANES

        libraries = [f"Python {platform.python_version()}", *(f"{library} {release(library)}" for library in LIBRARIES)]
        return cls(processor(), LANES, ", ".join(libraries))


@dataclass(frozen=True)
class Entry:
    """A kept number: its value, the version of the code that made it, and the name of the machine in its book."""

    value: Number
    code: str
    on: str


def spelled(calculation: Calculation, arguments: Mapping[str, Any]) -> str:
    """A call as a text that `sims.numbers.call.parse` reads, the same for the same arguments in any order."""
    words = (f"{name}={value!r}" for name, value in sorted(arguments.items()))
    return f"{calculation.name}({', '.join(words)})"


def code_of(calculation: Calculation) -> str:
    """The version of the code that a calculation's value comes from."""
    return version(calculation.function.__module__, calculation.function.__name__)


class NumberStore:
    """The kept numbers of one file. A file that is not there is an empty book; so is a damaged one, if it is `lenient`:
    a server then sends its pages without the numbers, and says so."""

    def __init__(self, path: Path, lenient: bool = False) -> None:
        self.path = path
        self._lenient = lenient
        self.stamp = -1
        """When the file was last changed, in nanoseconds: the entries are as they were then."""
        self.machines: dict[str, Machine] = {}
        self.entries: dict[str, Entry] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the file anew if it has changed. Raises ValueError where it is no book."""
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
        """The value of a call, if today's code made it."""
        entry = self.entries.get(spelled(calculation, arguments))
        return entry.value if entry and entry.code == code_of(calculation) else None

    def keep(self, found: Mapping[str, tuple[Number, str]]) -> None:
        """Add values by call, each with the version of the code that made it, and write the file in one piece."""
        on = self._name(Machine.here())
        for call, (value, code) in found.items():
            self.entries[call] = Entry(value.item() if isinstance(value, np.generic) else value, code, on)
        self._write()

    def replace(self, entries: Mapping[str, Entry]) -> None:
        """Write other entries for these calls."""
        if entries:
            self.entries |= entries
            self._write()

    def drop(self, calls: set[str]) -> None:
        """Forget numbers that no page uses any more."""
        if calls & set(self.entries):
            self.entries = {call: entry for call, entry in self.entries.items() if call not in calls}
            self._write()

    def _name(self, machine: Machine) -> str:
        for name, other in self.machines.items():
            if other == machine:
                return name
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
