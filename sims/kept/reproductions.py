"""Records of where the kept numbers were computed again, and whether they came out the same."""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sims.contract.calculation import Calculation, Number
from sims.kept.book import Machine

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Difference:
    """A number whose new value differs from the kept one by more than its calculation allows."""

    call: str
    kept: Number
    found: Number


@dataclass(frozen=True)
class Reproduction:
    """The outcome of computing all kept numbers again on one machine: how many were the same to the last bit, how many
    were within their calculation's tolerance, and those that were not."""

    date: str
    machine: Machine
    exact: int
    within: int
    differ: tuple[Difference, ...]

    @property
    def count(self) -> int:
        """The total of numbers."""
        return self.exact + self.within + len(self.differ)


def compared(date: str, machine: Machine, pairs: Mapping[str, tuple[Calculation, Number, Number]]) -> Reproduction:
    """Return the outcome for calls, each with its calculation, its kept value and its new value."""
    exact = sum(expected == actual for _calculation, expected, actual in pairs.values())
    differ = tuple(
        Difference(call, expected, actual)
        for call, (calculation, expected, actual) in pairs.items()
        if not calculation.agree(expected, actual)
    )
    return Reproduction(date, machine, exact, len(pairs) - exact - len(differ), differ)


def read(path: Path) -> list[Reproduction]:
    """Read the reproductions in a file, newest first; none if the file is missing or damaged."""
    if not path.is_file():
        return []
    try:
        return [_reproduction(load) for load in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, KeyError, TypeError) as error:
        log.error("%s is damaged and is ignored: %s", path.name, error)
        return []


def _reproduction(data: Mapping[str, Any]) -> Reproduction:
    differ = tuple(Difference(**fields) for fields in data["differ"])
    return Reproduction(data["date"], Machine(**data["machine"]), data["exact"], data["within"], differ)


def write(path: Path, new: Reproduction) -> None:
    """Write a reproduction before those on other machines; an older one on the same machine is replaced."""
    others = [entry for entry in read(path) if entry.machine != new.machine]
    text = json.dumps([asdict(entry) for entry in (new, *others)], indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")
