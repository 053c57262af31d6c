"""Reports as JSON: written, and read strictly, since the file may come from anybody."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, get_type_hints

from sims.xray.about import KINDS, SCHEMA, NotAReport
from sims.xray.additions import Addition, Contents, Finding, Weight, streams

LARGEST_FILE = 20_000_000
"""Characters of a file"""

MOST_ENTRIES = 20_000
"""Entries of a list, and of a table"""

LONGEST_TEXT = 400
"""Characters of a text"""

NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""How JSON, which has no such numbers, writes them"""

DERIVED = ("streams", "findings")
"""Written for those who read the file with something else; when it is read here, they follow from the rest again."""


def written(contents: Contents, findings: Sequence[Finding]) -> str:
    """The JSON of a report."""
    values = {"schema": SCHEMA, **asdict(contents)}
    values["streams"] = [
        {
            "number": stream.number,
            "shape": stream.shape,
            "additions": [addition.number for addition in stream.additions],
            "growth": stream.growth,
            "uncorrelated": stream.uncorrelated,
            "gradient_ratio": stream.gradient_ratio,
        }
        for stream in streams(contents.additions)
    ]
    values["findings"] = [asdict(finding) for finding in findings]
    return json.dumps(_plain(values), allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value


def read(text: str | bytes) -> Contents:
    """The contents of a report. Raises NotAReport, with a sentence that says what is wrong."""
    values = _parsed(text)
    if not isinstance(values, dict) or "schema" not in values:
        raise NotAReport("This file is no report of an X-ray: it does not name its schema.")
    if values["schema"] != SCHEMA or isinstance(values["schema"], bool):
        raise NotAReport(
            f"This report has the version {str(values['schema'])[:20]!r}; this X-ray reads version {SCHEMA}."
        )
    known = {field.name for field in fields(Contents)}
    _same_keys(values, known | {"schema", *DERIVED}, "the report")
    for name in DERIVED:
        _list(values[name], name)
    additions = tuple(
        _record(Addition, entry, f"additions[{at}]") for at, entry in enumerate(_list(values["additions"], "additions"))
    )
    if [addition.number for addition in additions] != list(range(len(additions))):
        raise NotAReport("The additions of this report are not numbered from 0 in their order.")
    for addition in additions:
        if addition.kind not in KINDS:
            raise NotAReport(
                f"additions[{addition.number}].kind is {addition.kind!r}, which is none of {', '.join(KINDS)}."
            )
    weights = [_record(Weight, entry, f"weights[{at}]") for at, entry in enumerate(_list(values["weights"], "weights"))]
    return Contents(
        additions,
        tuple(weights),
        _table(values["opaque"], "opaque", _whole),
        _table(values["blocks"], "blocks", _text),
        tuple(_text(entry, "remarks") for entry in _list(values["remarks"], "remarks")),
        _text(values["model"], "model"),
        _text(values["torch"], "torch"),
        _whole(values["passes"], "passes"),
        _maybe(values["whole"], "whole"),
    )


def _parsed(text: str | bytes) -> Any:
    if len(text) > LARGEST_FILE:
        raise NotAReport(f"This file has {len(text):,} characters; a report has at most {LARGEST_FILE:,}.")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"This file is no report of an X-ray: it is not JSON ({str(error)[:120]}).") from None


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _same_keys(values: Mapping[str, Any], known: Iterable[str], place: str) -> None:
    known = set(known)
    missing, unknown = sorted(known - values.keys()), sorted(values.keys() - known)
    if missing:
        raise NotAReport(f"In {place} of this file, {missing[0]!r} is missing.")
    if unknown:
        raise NotAReport(f"In {place} of this file, {unknown[0][:40]!r} is unknown.")


def _record(kind: type[Any], entry: Any, place: str) -> Any:
    """A dataclass from a JSON object whose fields have the types that it declares."""
    if not isinstance(entry, dict):
        raise NotAReport(f"{place} is no object.")
    types = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    _same_keys(entry, names, place)
    return kind(**{name: READERS[types[name]](entry[name], f"{place}.{name}") for name in names})


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not (value.isprintable() or not value):
        raise NotAReport(f"{place} is no text of at most {LONGEST_TEXT} printable characters.")
    return value


def _whole(value: Any, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
        raise NotAReport(f"{place} is no whole number from 0 on.")
    return value


def _number(value: Any, place: str) -> float:
    if isinstance(value, str) and value in NOT_FINITE:
        return NOT_FINITE[value]
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise NotAReport(f"{place} is no number.")
    try:
        return float(value)
    except OverflowError:
        raise NotAReport(f"{place} is no number.") from None


def _maybe(value: Any, place: str) -> float | None:
    return None if value is None else _number(value, place)


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise NotAReport(f"{place} is neither true nor false.")
    return value


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > MOST_ENTRIES:
        raise NotAReport(f"{place} is no list of at most {MOST_ENTRIES:,} entries.")
    return value


def _table(value: Any, place: str, reader: Callable[[Any, str], Any]) -> dict[str, Any]:
    if not isinstance(value, dict) or len(value) > MOST_ENTRIES:
        raise NotAReport(f"{place} is no table of at most {MOST_ENTRIES:,} entries.")
    return {_text(name, place): reader(entry, f"{place}.{name[:40]}") for name, entry in value.items()}


READERS: Mapping[Any, Callable[[Any, str], Any]] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _flag,
    float | None: _maybe,
    tuple[str, ...]: lambda value, place: tuple(_text(entry, place) for entry in _list(value, place)),
    tuple[int, ...]: lambda value, place: tuple(_whole(entry, place) for entry in _list(value, place)),
}
"""Type of a field → what reads it"""
