"""Tables of results: rows and columns declare the arguments of a calculation, and the table is filled with its values.

    :::{results} The caption, or nothing
    calc: probe.ratio
    with: {loss: squared error}
    form: .2f
    head: [Loss, Final norm]
    columns:
    - {head: 5 blocks, with: {depth: 5}}
    - {head: 50 blocks, with: {depth: 50}, form: .1f}
    rows:
    - {head: [squared error, "off"]}
    - {head: [squared error, "on"], with: {final_norm: true}, form: [.3f, ~]}
    - {head: [none, "on"], cells: [–, –]}
    :::

With `preset: "arena: field=all"` each cell is a link that starts a simulation of the page; a column may add settings,
`preset: depth=8`.

A cell is the `{calc}` of its column or, without one, of the table, with the arguments of table, row and column. With
`range: true`, at the table or at a column, it shows the range over several seeds: the calculation is called with
`statistic="lowest"` and with `statistic="highest"`. A cell's form is the row's, else the column's, else the table's. In
a row, `form` may have one entry for each column, and `cells` has words to show instead of numbers; `~` leaves a cell as
it is. Heads, cells and the caption are Markdown.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from markupsafe import Markup

from app.pages.blocks.presets import link
from app.pages.blocks.roles import calc
from app.pages.document.page_context import PageContext
from app.pages.text import located_yaml
from app.pages.text.errors import attempt
from app.pages.text.located_yaml import LocatedStr
from app.pages.text.templating import fill

Made = TypeVar("Made")


@dataclass(frozen=True)
class Column:
    """The defaults for the cells of a column, which a row may override."""

    head: Markup
    calculation: str
    arguments: Mapping[str, Any]
    form: str
    range: bool
    preset: str
    """`place: settings` of the simulation that a cell starts; empty where cells are no links"""


@dataclass(frozen=True)
class Row:
    """A row as it appears on the page."""

    heads: Sequence[Markup]
    cells: Sequence[Markup]


def results(context: PageContext, argument: str, body: LocatedStr) -> Markup:
    """A table filled by calculations. Raises ValueError where a part is missing, unknown or of the wrong size."""
    optional = ("calc", "with", "form", "range", "preset")
    data = located_yaml.fields(located_yaml.load(body, body.line), ("head", "columns", "rows"), optional)
    heads = _heads(context, data["head"], body.line)
    columns = _make_all(context, data["columns"], body.line, partial(_column, context, data))
    rows = _make_all(context, data["rows"], body.line, partial(_row, context, _arguments(data), columns, len(heads)))
    caption = context.inline(argument, body.line - 1) if argument else ""
    return fill("reference/results", caption=caption, heads=[*heads, *(column.head for column in columns)], rows=rows)


def _make_all(context: PageContext, entries: Any, line: int, make: Callable[[Any, int], Made]) -> list[Made]:
    """The result of `make` for every entry and its line; mistakes are reported for that line."""
    if not isinstance(entries, list):
        raise ValueError("columns and rows are lists")
    items = []
    for entry in entries:
        keys = entry if isinstance(entry, Mapping) else (entry,)
        first = min((key.line for key in keys if isinstance(key, LocatedStr)), default=line)
        items.append(attempt(context.file, first, partial(make, entry, first)))
    return items


def _column(context: PageContext, table: Mapping[str, Any], entry: Any, line: int) -> Column:
    data = located_yaml.fields(entry, ("head",), ("calc", "with", "form", "range", "preset"))
    return Column(
        _words(context, data["head"], line),
        data.get("calc", table.get("calc", "")),
        _arguments(data),
        data.get("form", table.get("form", "")),
        data.get("range", table.get("range", False)),
        ", ".join(source["preset"] for source in (table, data) if "preset" in source),
    )


def _row(
    context: PageContext, shared: Mapping[str, Any], columns: Sequence[Column], heads: int, entry: Any, line: int
) -> Row:
    data = located_yaml.fields(entry, ("head",), ("with", "form", "cells"))
    labels = _heads(context, data["head"], line)
    if len(labels) != heads:
        raise ValueError(f"head: expected {heads}, as many as the head of the table has")
    row_form = data.get("form")
    forms = _along("form", row_form if isinstance(row_form, list) else [row_form] * len(columns), columns)
    cells = []
    for column, form, words in zip(columns, forms, _along("cells", data.get("cells"), columns), strict=True):
        if words is None:
            parts = (shared, _arguments(data), column.arguments)
            cell = _numbers(context, column, parts, column.form if form is None else form, line)
            cells.append(_linked(context, cell, column.preset, line))
        else:
            cells.append(_words(context, words, line))
    return Row(labels, cells)


def _numbers(context: PageContext, column: Column, parts: Sequence[Mapping[str, Any]], form: str, line: int) -> Markup:
    """A cell's number, or its range over the seeds; a range whose ends print alike is one number."""
    statistics = [{"statistic": end} for end in ("lowest", "highest")] if column.range else [{}]
    calls = [_call(column.calculation, *parts, statistic) for statistic in statistics]
    texts = [calc(context, LocatedStr(f"{call}|{form}").at(line)) for call in calls]
    return texts[0] if len({text.striptags() for text in texts}) == 1 else Markup(" to ").join(texts)


def _linked(context: PageContext, text: Markup, preset: str, line: int) -> Markup:
    place, _colon, settings = preset.partition(":")
    return link(context, text, place.strip(), settings, line) if preset else text


def _along(name: str, values: Any, columns: Sequence[Column]) -> Sequence[Any]:
    """A row's value for each cell; None where it leaves a cell to its column."""
    if values is None:
        return [None] * len(columns)
    if not isinstance(values, list) or len(values) != len(columns):
        raise ValueError(f"{name}: expected a list of {len(columns)}, one for each column")
    return values


def _arguments(data: Mapping[str, Any]) -> Mapping[str, Any]:
    arguments = data.get("with", {})
    if not isinstance(arguments, Mapping):
        raise ValueError("with: expected arguments, each with a value")
    return arguments


def _call(calculation: str, *parts: Mapping[str, Any]) -> str:
    """The source text of a `{calc}`. Raises ValueError where two parts give the same argument."""
    if not calculation:
        raise ValueError("there is no calc for a cell that has no words")
    names = [name for part in parts for name in part]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"the argument {twice[0]!r} is given twice for the same cell")
    return f"{calculation}({', '.join(f'{name}={_literal(part[name])}' for part in parts for name in part)})"


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _heads(context: PageContext, heads: Any, line: int) -> list[Markup]:
    return [_words(context, head, line) for head in (heads if isinstance(heads, list) else [heads])]


def _words(context: PageContext, words: Any, line: int) -> Markup:
    """Words as Markdown. Whole numbers may be unquoted; YAML would change how any other unquoted value is written."""
    if isinstance(words, bool) or not isinstance(words, str | int):
        raise ValueError(f"YAML takes these words for {words!r}: put quotation marks around them")
    return context.inline(words if isinstance(words, LocatedStr) else str(words), line)
