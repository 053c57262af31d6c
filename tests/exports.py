"""What a reader takes home, read back into numbers as a reader's own program would."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.live.downloads import REPLIES
from sims.contract.frame import Frame, Quantity

TEXTS = tuple(kind for kind in REPLIES if kind != "npz")
"""What a page may ask for, without the archive of arrays, whose bytes differ by the program that compresses it"""

Columns = tuple[tuple[str, ...], list[tuple[Any, ...]]]
"""A header and the columns under it"""


def same(one: Any, other: Any) -> bool:
    """Equality of two cells, whatever text holds a number that is not finite."""
    if isinstance(other, float) and not math.isfinite(other):
        return str(one) == str(other)
    return type(one) is type(other) and bool(one == other)


def tables_in_csv(text: str) -> tuple[list[str], list[Columns]]:
    """The comments at the head of a CSV file, and its tables, whose cells are texts."""
    lines = text.splitlines(keepends=True)
    head = [line.removeprefix("# ").rstrip("\n") for line in lines if line.startswith("#")]
    tables, rows = [], []
    for row in [*csv.reader(line for line in lines if not line.startswith("#")), []]:
        if row:
            rows.append(row)
        elif rows:
            tables.append((tuple(rows[0]), list(zip(*rows[1:], strict=True))))
            rows = []
    return head, tables


def column(tables: Sequence[Columns], quantity: Quantity) -> tuple[Any, ...]:
    """The cells of a quantity, found by its axes, its label and its unit; its axes must count through its places."""
    name, shape = f"{quantity.label} [{quantity.unit}]", quantity.values.shape
    [(header, columns)] = [
        (header, columns)
        for header, columns in tables
        if header[: len(shape)] == quantity.axes
        and name in header[len(shape) :]
        and len(columns[0] if columns else ()) == quantity.values.size
    ]
    for axis, places in zip(columns, np.indices(shape).reshape(len(shape), quantity.values.size), strict=False):
        assert [int(cell) for cell in axis] == places.tolist()
    assert header.count(name) == 1, f"two columns are called {name}"
    return columns[header.index(name)] if columns else ()


def assert_csv_holds(text: str, frame: Frame) -> None:
    """Every number of a frame stands in a CSV file to the last bit, under its name, its unit and its place."""
    tables = tables_in_csv(text)[1]
    for quantity in frame.quantities.values():
        cells = column(tables, quantity)
        for cell, value in zip(cells, quantity.values.reshape(-1).tolist(), strict=True):
            assert cell == str(value) if not isinstance(value, float) else same(float(cell), value)


def assert_json_holds(text: str, frame: Frame) -> None:
    """Every number, result and name of a frame stands in a JSON file to the last bit."""
    read: Mapping[str, Any] = json.loads(text, parse_constant=_refused)
    assert (read["step"], read["steps"]) == (frame.step, frame.steps)
    assert list(read["results"]) == list(frame.results)
    for name, value in frame.results.items():
        assert same(read["results"][name], getattr(value, "item", lambda value=value: value)()), name
    assert read["diverged"] == [vars(divergence) for divergence in frame.diverged]
    assert list(read["quantities"]) == list(frame.quantities)
    for name, quantity in frame.quantities.items():
        entry = read["quantities"][name]
        assert (entry["label"], entry["unit"], tuple(entry["axes"])) == (quantity.label, quantity.unit, quantity.axes)
        assert _shape(entry["values"], quantity.values.ndim) == quantity.values.shape or not quantity.values.size
        cells, expected = _flat(entry["values"]), quantity.values.reshape(-1).tolist()
        assert all(same(cell, value) for cell, value in zip(cells, expected, strict=True)), name


def assert_npz_holds(content: bytes, frame: Frame) -> None:
    """Every array of a frame is in an archive of NumPy's to the last bit, beside what it is, and every result."""
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        about = json.loads(archive["about"].item(), parse_constant=_refused)
        assert archive.files == ["about", *frame.quantities]
        for name, quantity in frame.quantities.items():
            assert archive[name].dtype == quantity.values.dtype, name
            assert archive[name].shape == quantity.values.shape, name
            assert archive[name].tobytes() == quantity.values.tobytes(), name
            meta = about["quantities"][name]
            assert (meta["label"], meta["unit"], tuple(meta["axes"])) == (quantity.label, quantity.unit, quantity.axes)
    assert (about["step"], about["steps"]) == (frame.step, frame.steps)
    for name, value in frame.results.items():
        assert same(about["results"][name], getattr(value, "item", lambda value=value: value)()), name


def assert_tables_hold(tables: Sequence[Mapping[str, Any]], text: str, most: int) -> None:
    """The tables of the page are those of the CSV file, but for the rows behind the first `most`, which they count."""
    for table, (header, columns) in zip(tables, tables_in_csv(text)[1], strict=True):
        rows = list(zip(*columns, strict=True))
        assert tuple(table["header"]) == header
        assert [tuple(map(str, row)) for row in table["rows"]] == rows[:most]
        assert table["left_out"] == max(len(rows) - most, 0)


def _refused(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def _flat(values: Any) -> list[Any]:
    return [leaf for value in values for leaf in _flat(value)] if isinstance(values, list) else [values]


def _shape(values: Any, dimensions: int) -> tuple[int, ...]:
    return (len(values), *_shape(values[0], dimensions - 1)) if dimensions and len(values) else (0,) * dimensions
