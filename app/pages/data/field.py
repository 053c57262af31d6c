"""The works of the page *The field*: who changed the residual connection, who ships it, and who has tried it again.

They are data, in `content/field.toml`, whose head explains the keys. What no source says is left out there, and the
page shows that it is not known.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from app.pages.data.bibliography import Entry
from app.pages.text.errors import Mistake, attempt
from app.pages.text.located_yaml import LocatedStr, fields

FILE = "field.toml"

KINDS = {
    "placement": "where the norm goes",
    "scaling": "scaling of branch or skip",
    "lanes": "several lanes",
    "depth": "looking back over depth",
    "erasing": "erasing and orthogonal updates",
    "sharing": "depth by weight sharing",
    "normless": "no norm",
    "skipless": "no skip",
    "transfer": "transfer over depth",
    "memory": "reversible",
    "comparison": "comparison by others",
    "analysis": "analysis",
}
"""Kind of a work, as addresses have it → its name"""

BASES = {
    "text": "we read it, or the part that the row is about",
    "abstract": "we read a copy of its abstract",
    "second-hand": "we read what others say about it",
    "memory": "we opened nothing",
}
"""How well the row was checked against its source"""

OUTCOMES = {"confirmed": "confirmed", "mixed": "partly confirmed", "refuted": "not confirmed"}
"""What somebody else found, as the file has it → how the page says it"""

ARXIV = re.compile(r"\d{4}\.\d{4,5}")
"""A number of arXiv, without version"""

NAME = re.compile(r"[a-z][a-z0-9-]*")
ADDRESS = re.compile(r"https://\S+")
TOY = re.compile(r"[a-z0-9-]+#[\w-]+")
ENTRY = re.compile(r"^\[\[works\]\]$", re.MULTILINE)

REQUIRED = ("id", "title", "year", "kind", "claim", "basis", "first_seen", "last_checked", "checked")
OPTIONAL = ("by", "arxiv", "cite", "form", "numbers", "shipped", "tried", "cost", "code", "toy")
LISTS = ("shipped", "tried")
DATES = ("first_seen", "last_checked")


@dataclass(frozen=True)
class Trial:
    """What others found who tried a work again. `outcome` is one of `OUTCOMES`."""

    by: str
    outcome: str
    found: LocatedStr


@dataclass(frozen=True)
class Work:
    """One row. Texts are Markdown within a line, and empty where nothing is known to us.

    `form` says what becomes of the block, `numbers` what the authors report, `checked` how the site checked the claim
    itself, `toy` the address of a figure here. `by` names
    the authors of a work that is not in the bibliography, where we know them.
    """

    id: str
    title: str
    year: int
    kind: str
    claim: LocatedStr
    basis: str
    first_seen: date
    last_checked: date
    checked: LocatedStr
    line: int
    by: str = ""
    arxiv: str = ""
    cite: str = ""
    form: str = ""
    numbers: str = ""
    shipped: tuple[LocatedStr, ...] = ()
    tried: tuple[Trial, ...] = ()
    cost: str = ""
    code: str = ""
    toy: str = ""

    @property
    def outcomes(self) -> list[str]:
        """What others found, without repetition."""
        return list(dict.fromkeys(trial.outcome for trial in self.tried))


def read(path: Path) -> Sequence[Work]:
    """All works, those that most others have tried first, then the newest.

    Raises BuildError for an entry that is incomplete or contradicts itself.
    """
    text = path.read_text(encoding="utf-8")
    starts = [match.start() for match in ENTRY.finditer(text)]
    works: dict[str, Work] = {}
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = text.count("\n", 0, start) + 1

        def entered(part: str = text[start:end], line: int = line) -> None:
            work = _work(part, line)
            if work.id in works:
                raise ValueError(f"{work.id} comes twice")
            works[work.id] = work

        attempt(path, line, entered)
    return sorted(works.values(), key=lambda work: (-len(work.tried), -work.year, work.title.casefold()))


def check_sources(work: Work, papers: Mapping[str, Entry]) -> None:
    """Raise Mistake if the work names a paper that the bibliography lacks, or another number of arXiv than it has."""
    if not work.cite:
        return
    if work.cite not in papers:
        raise Mistake(f"{work.id}: the references have no key {work.cite!r}", work.line)
    if work.arxiv != papers[work.cite].arxiv:
        raise Mistake(f"{work.id}: {work.arxiv!r} here, and {papers[work.cite].arxiv!r} in the references", work.line)


def missing(works: Iterable[Work], listed: Iterable[str]) -> list[str]:
    """The numbers of arXiv in `listed` that no work has, in their order."""
    known = {work.arxiv for work in works}
    return [number for number in dict.fromkeys(listed) if number not in known]


def _work(part: str, line: int) -> Work:
    try:
        (data,) = tomllib.loads(part)["works"]
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"this is not TOML: {error}") from None
    name = data.get("id", "a work without an id")
    try:
        values = dict(fields(data, REQUIRED, OPTIONAL))
        _check(values)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    texts = {key: LocatedStr(value).at(line) for key, value in values.items() if isinstance(value, str)}
    trials = (Trial(trial["by"], trial["outcome"], LocatedStr(trial["found"]).at(line)) for trial in values["tried"])
    shipped = (LocatedStr(model).at(line) for model in values["shipped"])
    return Work(**{**values, **texts, "shipped": tuple(shipped), "tried": tuple(trials), "line": line})


def _check(values: dict[str, Any]) -> None:
    """Raise ValueError for a value that cannot be. Lists that are left out become empty ones."""
    for key in LISTS:
        values.setdefault(key, [])
    for key, value in values.items():
        wanted = list if key in LISTS else date if key in DATES else int if key == "year" else str
        if not isinstance(value, wanted) or value == "":
            raise ValueError(f"{key}: {value!r} is no {wanted.__name__}, or empty; leave out what is not known")
    for key, choices in (("kind", KINDS), ("basis", BASES)):
        if values[key] not in choices:
            raise ValueError(f"{key}: {values[key]!r} is not one of {', '.join(choices)}")
    for key, form in (("id", NAME), ("arxiv", ARXIV), ("code", ADDRESS), ("toy", TOY)):
        if key in values and not form.fullmatch(values[key]):
            raise ValueError(f"{key}: {values[key]!r} is not of the form {form.pattern}")
    for trial in values["tried"]:
        fields(trial, ("by", "outcome", "found"))
        if trial["outcome"] not in OUTCOMES:
            raise ValueError(f"outcome: {trial['outcome']!r} is not one of {', '.join(OUTCOMES)}")
    if values["last_checked"] < values["first_seen"]:
        raise ValueError("last_checked is before first_seen")
