"""Numbers that others published, and numbers that circulate without a source; read from `files/published.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sims.contract.calculation import Number, calculation

FILE = Path(__file__).parent / "files" / "published.toml"

PUBLISHED = "published"
CURVE_ONLY = "curve only"
NOT_IN_THE_PAPER = "not in the paper"
SECOND_HAND = "second-hand"
"""Quoted by somebody who has read the paper; no author of this site has checked it there."""

STATUSES = (PUBLISHED, CURVE_ONLY, NOT_IN_THE_PAPER, SECOND_HAND)


@dataclass(frozen=True)
class Record:
    """One number from the literature, or the fact that there is none.

    `value`, `above`, `mean` and `std` are in the unit of the quantity. `above` is a lower bound, if the source gives
    only that. `source` is a key of the bibliography, empty for a number that is not in the paper.
    """

    table: str
    model: str
    family: str
    quantity: str
    status: str
    depth: int | None = None
    value: float | None = None
    above: float | None = None
    mean: float | None = None
    std: float | None = None
    runs: int | None = None
    source: str = ""
    where: str = ""
    note: str = ""


@dataclass(frozen=True)
class Column:
    """What a number measures, and its unit."""

    label: str
    unit: str


@dataclass(frozen=True)
class PublishedTable:
    """Models as rows, quantities as columns; each cell holds the records of both, the published one first."""

    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[tuple[Record, ...], ...]], ...]


@cache
def _file() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@cache
def records() -> tuple[Record, ...]:
    """Return every record, in the order of the file."""
    return tuple(Record(**row) for row in _file()["records"])


def table(name: str) -> PublishedTable:
    """Return the table of that name. Raises KeyError if there is none."""
    about = _file()["tables"][name]
    matches = [record for record in records() if record.table == name]
    quantities = dict.fromkeys(record.quantity for record in matches)
    rows = tuple(
        (
            model,
            tuple(
                tuple(record for record in matches if (record.model, record.quantity) == (model, quantity))
                for quantity in quantities
            ),
        )
        for model in dict.fromkeys(record.model for record in matches)
    )
    columns = tuple(Column(**_file()["quantities"][quantity]) for quantity in quantities)
    return PublishedTable(about["title"], about["caption"], columns, rows)


def find(table: str, model: str, quantity: str, status: str) -> list[Record]:
    """Return the records that match, in the order of the file."""
    key = (table, model, quantity, status)
    return [record for record in records() if (record.table, record.model, record.quantity, record.status) == key]


@calculation
def value(table: str, model: str, quantity: str = "test_error", field: str = "value") -> Number:
    """Return one field (value, above, mean, std or runs) of a published record, or else of one that is second-hand, in
    the unit of its quantity.

    Raises KeyError if nothing of that kind was published.
    """
    for status in (PUBLISHED, SECOND_HAND):
        for record in find(table, model, quantity, status):
            number: Number | None = getattr(record, field)
            if number is not None:
                return number
    raise KeyError(f"no published {field} of {quantity} for {model} in {table}")


@calculation
def circulating(model: str, which: int, table: str = "cifar10", quantity: str = "training_error") -> Number:
    """Return a number that circulates but is not in the paper; `which` counts from 1, in the order of the file.

    Raises KeyError if there are fewer.
    """
    numbers = [record.value for record in find(table, model, quantity, NOT_IN_THE_PAPER) if record.value is not None]
    if not 1 <= which <= len(numbers):
        raise KeyError(
            f"{len(numbers)} circulating numbers of {quantity} for {model} in {table}, none is number {which}"
        )
    return numbers[which - 1]
