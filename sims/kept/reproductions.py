"""How often the kept numbers were computed again, where, and what came out."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sims.contract.calculation import Calculation, Number
from sims.kept.book import Machine


@dataclass(frozen=True)
class Difference:
    """A number that came out otherwise than it is kept, further off than its calculation allows."""

    call: str
    kept: Number
    found: Number


@dataclass(frozen=True)
class Reproduction:
    """All kept numbers computed again on one machine: how many were the same to the last bit, how many within their
    calculation's tolerance, and those that were not."""

    date: str
    machine: Machine
    exact: int
    within: int
    differ: tuple[Difference, ...]

    @property
    def count(self) -> int:
        """Numbers in all."""
        return self.exact + self.within + len(self.differ)


def compared(date: str, machine: Machine, pairs: Mapping[str, tuple[Calculation, Number, Number]]) -> Reproduction:
    """The outcome for calls, each with its calculation, its kept value and the one that was found."""
    exact = sum(kept == found for _calculation, kept, found in pairs.values())
    differ = tuple(
        Difference(call, kept, found)
        for call, (calculation, kept, found) in pairs.items()
        if not calculation.agree(kept, found)
    )
    return Reproduction(date, machine, exact, len(pairs) - exact - len(differ), differ)


def read(path: Path) -> list[Reproduction]:
    """What a file tells, the newest first; nothing where there is no file."""
    if not path.is_file():
        return []
    return [
        Reproduction(
            each["date"],
            Machine(**each["machine"]),
            each["exact"],
            each["within"],
            tuple(Difference(**one) for one in each["differ"]),
        )
        for each in json.loads(path.read_text(encoding="utf-8"))
    ]


def write(path: Path, new: Reproduction) -> None:
    """Put a reproduction in front of those on other machines; an older one on the same machine goes."""
    others = [each for each in read(path) if each.machine != new.machine]
    text = json.dumps([asdict(each) for each in (new, *others)], indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")
