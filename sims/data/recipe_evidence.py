"""The evidence for recipes: rules with their grades and sources, and lists of published rates, starts and
depths."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "files" / "recipe_evidence.toml"

GRADES = {
    "shipped": "shipped at scale",
    "reproduced": "reproduced",
    "paper": "one paper",
    "measured": "measured here",
    "convention": "convention",
    "counted": "counted",
}
"""Grade → its words, strongest first. A shipped rule is in released models. A reproduced one was confirmed by others
than its authors. A count is arithmetic."""


@dataclass(frozen=True)
class Source:
    """Somebody who does it: words, and one of a key of the bibliography, a place on this site, a web address."""

    words: str
    cite: str = ""
    page: str = ""
    address: str = ""

    @property
    def link(self) -> str:
        """Where it can be read, relative to a page of this site."""
        return f"references#{self.cite}" if self.cite else self.page or self.address


@dataclass(frozen=True)
class Rule:
    """A rule with its grade, those who follow it, and in words who does not."""

    grade: str
    by: tuple[Source, ...]
    against: str = ""
    against_by: tuple[Source, ...] = ()


@dataclass(frozen=True)
class Row:
    """A row of a published list: a named model, its size, and its rate."""

    name: str
    width: int
    blocks: int
    rate: float
    family: str = ""


@dataclass(frozen=True)
class Depth:
    """The deepest released model of an order of norm and sum: its name, its blocks, and where they are stated."""

    name: str
    blocks: int
    by: tuple[Source, ...]


@cache
def _file() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def sources() -> Mapping[str, Source]:
    """Every source, by name."""
    return {name: Source(**fields) for name, fields in _file()["sources"].items()}


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule, by name. Raises KeyError for a source that is not in the list."""
    known = sources()
    return {
        name: Rule(
            fields["grade"],
            tuple(known[source] for source in fields["by"]),
            fields.get("against", ""),
            tuple(known[source] for source in fields.get("against_by", ())),
        )
        for name, fields in _file()["rules"].items()
    }


@cache
def deepest(order: str) -> Depth:
    """The deepest released model of an order, "pre-ln" or "post-ln", beyond which no recipe has a model to follow."""
    row = _file()["depths"][order]
    return Depth(row["name"], row["blocks"], tuple(sources()[source] for source in row["by"]))


def language_rate(width: int, blocks: int) -> Row:
    """The row of GPT-3's list whose stack has the number of weights nearest to that of this one, as a ratio."""
    size = math.log(width**2 * blocks)
    rows = [Row(**row) for row in _file()["rates"]]
    return min(rows, key=lambda row: abs(math.log(row.width**2 * row.blocks) - size))


def drop_path_row(family: str, width: int, blocks: int = 0) -> Row:
    """The row of stochastic depth for the nearest named model of a family; of several, the one nearest in depth."""
    rows = [Row(**row) for row in _file()["drop_paths"] if row["family"] == family]
    return min(rows, key=lambda row: (abs(math.log(row.width / width)), abs(row.blocks - blocks)))


def drop_path(family: str, width: int, *, overfits: bool = False, blocks: int = 0) -> float:
    """The rate of stochastic depth for the last block; with `overfits`, that of the next larger named model."""
    row = drop_path_row(family, width, blocks)
    rates = sorted({other["rate"] for other in _file()["drop_paths"] if other["family"] == family})
    return rates[min(rates.index(row.rate) + overfits, len(rates) - 1)]


def layer_scale(blocks: int) -> float:
    """The initial factor of LayerScale for a stack of so many blocks."""
    return next(float(row["gamma"]) for row in _file()["starts"] if blocks <= row["up_to"])
