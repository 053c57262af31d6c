"""Widespread claims that the reader judges before the check is shown."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.pages.text import located_yaml
from app.pages.text.errors import BuildError
from app.pages.text.located_yaml import LocatedStr
from sims.contract.address import query

HOLDS, DEPENDS, FAILS, OPEN = "holds", "depends", "fails", "open"
JUDGMENTS = {HOLDS: "It holds", DEPENDS: "It holds if …", FAILS: "It does not hold", OPEN: "It is open"}
"""The judgments a reader may give. Their names are stored in browsers and appear in addresses."""

VERDICTS = {"holds": HOLDS, "holds if": DEPENDS, "does not hold": FAILS, "open": OPEN}
"""Verdict, as the file and the card say it → the judgment that agrees with it."""

MOST_WORDS = 75
"""Of what makes a statement plausible and its correction together; a calculation counts as one."""

CALCULATION = re.compile(r"\{calc\}`[^`]*`")

EVIDENCE = {
    "computed": "computed here",
    "algebra": "algebra",
    "paper": "paper read",
    "second-hand": "second-hand",
    "memory": "from memory",
}


@dataclass(frozen=True)
class Expected:
    """The expected result of a calculation, with its form: a value that was derived independently, or a range."""

    calc: LocatedStr
    low: float
    high: float


@dataclass(frozen=True)
class Claim:
    """One card. `why` is what makes the statement plausible, `condition` when it holds, if its verdict is "holds if".

    `sources` are keys of papers. `test` is the id of a test that checks it, as pytest writes ids. `check` names a page,
    a simulation on it and parameters that demonstrate the matter.
    """

    id: str
    topic: str
    statement: LocatedStr
    why: LocatedStr
    verdict: str
    condition: str
    correction: LocatedStr
    evidence: tuple[str, ...]
    sources: tuple[str, ...]
    check: Mapping[str, Any] | None
    chapter: str
    file: Path
    test: str = ""
    expected: tuple[Expected, ...] = ()

    @property
    def judgment(self) -> str:
        """The judgment that agrees with the verdict."""
        return VERDICTS[self.verdict]

    def link(self) -> str:
        """The address of the page with the simulation in the state to look at."""
        if self.check is None:
            return ""
        place, values = self.check["simulation"], self.check["parameters"]
        return f"{self.check['page']}{query(place, values)}#{place}"


@dataclass(frozen=True)
class Claims:
    """All cards, the letters of their topics, and the cards that the claims page begins with."""

    cards: Mapping[str, Claim]
    topics: Mapping[str, str]
    front: tuple[str, ...]


def read(path: Path) -> Claims:
    """Parse the file of claims. Raises BuildError for an invalid card."""
    data = located_yaml.fields(located_yaml.load(path.read_text(encoding="utf-8")), ("front", "topics", "cards"))
    cards: dict[str, Claim] = {}
    for entry in data["cards"]:
        try:
            claim = _claim(entry, path)
            if claim.id in cards:
                raise ValueError(f"{claim.id} comes twice")
        except ValueError as error:
            raise BuildError(str(error), path, getattr(entry.get("id"), "line", 1)) from None
        cards[claim.id] = claim
    return Claims(cards, data["topics"], tuple(data["front"]))


def _claim(entry: Any, path: Path) -> Claim:
    required = ("id", "topic", "statement", "why", "verdict", "correction", "evidence", "check", "chapter")
    data = located_yaml.fields(entry, required, ("condition", "sources", "test", "expected"))
    if data["verdict"] not in VERDICTS:
        raise ValueError(f"verdict: {data['verdict']!r} is not one of {', '.join(VERDICTS)}")
    if ("condition" in data) != (VERDICTS[data["verdict"]] == DEPENDS):
        raise ValueError('condition: a card says one if its verdict is "holds if", and only then')
    words = len(CALCULATION.sub("0", f"{data['why']} {data['correction']}").split())
    if words > MOST_WORDS:
        raise ValueError(f"why and correction have {words} words, and a card has {MOST_WORDS} at most")
    strange = [mark for mark in data["evidence"] if mark not in EVIDENCE]
    if strange:
        raise ValueError(f"evidence: {', '.join(strange)} is not among {', '.join(EVIDENCE)}")
    if data["check"] is not None:
        located_yaml.fields(data["check"], ("page", "simulation", "parameters"))
    return Claim(
        **{name: data[name] for name in required if name != "evidence"},
        condition=data.get("condition", ""),
        evidence=tuple(data["evidence"]),
        sources=tuple(data.get("sources", ())),
        file=path,
        test=data.get("test", ""),
        expected=tuple(map(_expected, data.get("expected", ()))),
    )


def _expected(entry: Any) -> Expected:
    data = located_yaml.fields(entry, ("calc", "value"))
    low, high = data["value"] if isinstance(data["value"], list) else (data["value"], data["value"])
    return Expected(data["calc"], low, high)


def by_topic(cards: Iterable[Claim]) -> Mapping[str, list[Claim]]:
    """Cards grouped by the letter of their topic, in the order of the file."""
    groups: dict[str, list[Claim]] = {}
    for claim in cards:
        groups.setdefault(claim.topic, []).append(claim)
    return groups
