"""Widespread claims that the reader judges before the check is shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.pages.text import located_yaml
from app.pages.text.errors import BuildError
from app.pages.text.located_yaml import LocatedStr
from sims.contract.address import query

HOLDS, DEPENDS, FAILS = "holds", "depends", "fails"
JUDGMENTS = {HOLDS: "It holds", DEPENDS: "It depends", FAILS: "It does not hold"}
"""The judgments a reader may give."""

VERDICTS = {
    "true": (HOLDS, "true"),
    "conditional": (DEPENDS, "conditional"),
    "imprecise": (DEPENDS, "imprecise"),
    "contested": (DEPENDS, "contested"),
    "overclaim": (DEPENDS, "claims too much"),
    "wrong": (FAILS, "wrong"),
    "artifact": (FAILS, "artifact: the number measures something else"),
    "no source": (FAILS, "no source"),
    "bug": (FAILS, "a bug"),
    "self-cancelling": (FAILS, "cancels itself"),
    "added": (FAILS, "wrong; added by us"),
}
"""Verdict → the judgment that agrees with it, and its wording on the card."""

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
class Contradiction:
    """A question on which two popular accounts contradict each other, who is right, and the cards that say why."""

    question: LocatedStr
    one: LocatedStr
    other: LocatedStr
    right: LocatedStr
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Claim:
    """One card. `sources` are keys of papers. `test` is the id of a test that checks it, as pytest writes ids.

    `check` names a page, a simulation on it and parameters that demonstrate the matter.
    """

    id: str
    topic: str
    statement: LocatedStr
    verdict: str
    rider: str
    correction: LocatedStr
    evidence: tuple[str, ...]
    sources: tuple[str, ...]
    check: Mapping[str, Any] | None
    chapter: str
    file: Path
    test: str = ""
    expected: tuple[Expected, ...] = ()

    def link(self) -> str:
        """The address of the page with the simulation in the state to look at."""
        if self.check is None:
            return ""
        place, values = self.check["simulation"], self.check["parameters"]
        return f"{self.check['page']}{query(place, values)}#{place}"


@dataclass(frozen=True)
class Claims:
    """All cards, the letters of their topics, the cards that the claims page begins with, and its other content."""

    cards: Mapping[str, Claim]
    topics: Mapping[str, str]
    front: tuple[str, ...]
    checked: tuple[Mapping[str, Any], ...]
    contradictions: tuple[Contradiction, ...]


def read(path: Path) -> Claims:
    """Parse the file of claims. Raises BuildError for an invalid card."""
    data = located_yaml.fields(
        located_yaml.load(path.read_text(encoding="utf-8")), ("front", "topics", "cards", "contradictions", "checked")
    )
    cards: dict[str, Claim] = {}
    for entry in data["cards"]:
        try:
            claim = _claim(entry, path)
            if claim.id in cards:
                raise ValueError(f"{claim.id} comes twice")
        except ValueError as error:
            raise BuildError(str(error), path, getattr(entry.get("id"), "line", 1)) from None
        cards[claim.id] = claim
    contradictions = tuple(_contradiction(entry, cards, path) for entry in data["contradictions"])
    return Claims(cards, data["topics"], tuple(data["front"]), tuple(data["checked"]), contradictions)


def _contradiction(entry: Any, cards: Mapping[str, Claim], path: Path) -> Contradiction:
    try:
        data = located_yaml.fields(entry, ("question", "one", "other", "right", "cards"))
        strange = [card for card in data["cards"] if card not in cards]
        if strange:
            raise ValueError(f"cards: there is no {', '.join(strange)}")
    except ValueError as error:
        raise BuildError(str(error), path, getattr(entry.get("question"), "line", 1)) from None
    return Contradiction(**{**data, "cards": tuple(data["cards"])})


def _claim(entry: Any, path: Path) -> Claim:
    required = ("id", "topic", "statement", "verdict", "correction", "evidence", "check", "chapter")
    data = located_yaml.fields(entry, required, ("rider", "sources", "test", "expected"))
    if data["verdict"] not in VERDICTS:
        raise ValueError(f"verdict: {data['verdict']!r} is not one of {', '.join(VERDICTS)}")
    strange = [mark for mark in data["evidence"] if mark not in EVIDENCE]
    if strange:
        raise ValueError(f"evidence: {', '.join(strange)} is not among {', '.join(EVIDENCE)}")
    if data["check"] is not None:
        located_yaml.fields(data["check"], ("page", "simulation", "parameters"))
    return Claim(
        **{name: data[name] for name in required if name != "evidence"},
        rider=data.get("rider", ""),
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
