"""The terms of the field, each explained twice: for a beginner and for an expert."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.pages.text import located_yaml
from app.pages.text.errors import BuildError
from app.pages.text.located_yaml import LocatedStr


@dataclass(frozen=True)
class Term:
    """One entry; `everyday` means that experts need no tooltip."""

    id: str
    name: str
    beginner: LocatedStr
    expert: LocatedStr
    everyday: bool = False


def read(path: Path) -> Mapping[str, Term]:
    """Every entry under its name and its other names, in lower case. Raises BuildError for an invalid entry."""
    terms: dict[str, Term] = {}
    for entry in located_yaml.load(path.read_text(encoding="utf-8")):
        line = getattr(entry.get("term"), "line", 1) if isinstance(entry, Mapping) else 1
        try:
            data = located_yaml.fields(entry, ("term", "beginner", "expert"), ("also", "everyday"))
            names = [str(name).casefold() for name in (data["term"], *data.get("also", ()))]
            duplicates = [name for name in names if name in terms]
            if duplicates:
                raise ValueError(f"{', '.join(duplicates)} has an entry already")
        except ValueError as error:
            raise BuildError(str(error), path, line) from None
        everyday = bool(data.get("everyday", False))
        term = Term(identifier(data["term"]), data["term"], data["beginner"], data["expert"], everyday)
        terms.update(dict.fromkeys(names, term))
    return terms


def identifier(name: str) -> str:
    """A name as part of an id: `Pre-LN` → `pre-ln`, `μP` → `mup`."""
    spelled = name.replace("μ", "mu").replace("γ", "gamma").replace("β", "beta")
    letters = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")
