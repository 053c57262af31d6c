"""A parameter for a set of numbers, written as people write it: "3, 7-12"."""

import re
from collections.abc import Collection, Iterable

from sims.contract.spelled import TextParameter

RANGE = r"\d+(-\d+)?"
PART = re.compile(r"\s*(?P<first>\d{1,4})\s*(?:[-–]\s*(?P<last>\d{1,4})\s*)?")
LONGEST = 400
"""Characters that a text from outside may have"""


class NumberList(TextParameter):
    """Whole numbers from 1 to `most`, as single numbers and ranges: rising, separated by commas, each number once."""

    __slots__ = ("most",)

    longest = LONGEST

    def __init__(self, default: str, most: int, **options: object) -> None:
        super().__init__(default, regex=rf"\A({RANGE}(, {RANGE})*)?\Z", **options)  # type: ignore[call-overload]
        self.most = most

    def admitted(self, text: str) -> tuple[str, str]:
        numbers, left = set(), []
        for part in filter(str.strip, text.split(",")):
            match = PART.fullmatch(part)
            if not match:
                left.append(part.strip())
                continue
            first, last = int(match["first"]), int(match["last"] or match["first"])
            part_numbers = set(range(max(first, 1), min(last, self.most) + 1))
            if len(part_numbers) != last - first + 1:
                left.append(part.strip())
            numbers |= part_numbers
        if left and not numbers:
            raise ValueError("there is no number in it that can be used")
        return written(numbers), f"“{left[0][:10]}” is not within 1 to {self.most}" if left else ""

    def described(self) -> str:
        return f"numbers from 1 to {self.most} and ranges of them, such as 3, 7-12"


def parse(text: str) -> set[int]:
    """Return the numbers of a text that `NumberList` has admitted."""
    numbers: set[int] = set()
    for part in filter(None, text.split(", ")):
        first, _, last = part.partition("-")
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def written(numbers: Iterable[int]) -> str:
    """Return the numbers as a text, such as "3, 7-12"; two neighbors are a range, too."""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in _ranges(set(numbers)))


def _ranges(numbers: Collection[int]) -> list[tuple[int, int]]:
    firsts = sorted(number for number in numbers if number - 1 not in numbers)
    lasts = sorted(number for number in numbers if number + 1 not in numbers)
    return list(zip(firsts, lasts, strict=True))
