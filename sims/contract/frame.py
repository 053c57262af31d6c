"""The output of a simulation: arrays with names, units and axes, and the results that sentences refer to."""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np


@dataclass(frozen=True)
class Quantity:
    """An array with its label, unit and axes.

    `axes` names every dimension of `values`, outermost first; quantities with the same axes form one table.
    `unit` is a unit of measurement, or "relative" for a pure number.
    """

    values: np.ndarray
    label: str
    unit: str = "relative"
    axes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.asarray(self.values))
        if self.values.ndim != len(self.axes):
            raise ValueError(f"{self.label}: {self.values.ndim} dimensions, but axes {self.axes}")


class Measure(NamedTuple):
    """What a quantity is called, and its unit."""

    label: str
    unit: str


@dataclass(frozen=True)
class Divergence:
    """Why a run produced numbers that are not finite. Readers see every field."""

    step: int
    quantity: str
    cause: str
    what_to_try: str

    def sentences(self) -> str:
        """What happened, why, and what to try, for a terminal."""
        return f"Step {self.step}: the {self.quantity} overflowed. {self.cause} {self.what_to_try}"


@dataclass(frozen=True)
class Table:
    """Quantities over the same axes, as columns."""

    header: tuple[str, ...]
    columns: tuple[np.ndarray, ...]

    def rows(self) -> Iterator[tuple[object, ...]]:
        return zip(*(column.tolist() for column in self.columns), strict=True)


@dataclass(frozen=True)
class Frame:
    """One complete state of a figure: it can be drawn, exported or cached without the frames before it.

    `results` are the few named values that prose refers to. `step` and `steps` count a training run; an instant
    simulation leaves them at 0.
    """

    quantities: Mapping[str, Quantity]
    results: Mapping[str, float | int | str] = field(default_factory=dict)
    step: int = 0
    steps: int = 0
    diverged: tuple[Divergence, ...] = ()

    def __getitem__(self, name: str) -> np.ndarray:
        return self.quantities[name].values

    @property
    def finished(self) -> bool:
        return self.step >= self.steps

    def tables(self) -> list[Table]:
        """Return one table for every set of axes, with the axes as its first columns."""
        groups: dict[tuple[tuple[str, ...], tuple[int, ...]], list[Quantity]] = {}
        for quantity in self.quantities.values():
            groups.setdefault((quantity.axes, quantity.values.shape), []).append(quantity)
        tables = []
        for (axes, shape), group in groups.items():
            index = np.indices(shape).reshape(len(shape), -1) if shape else np.empty((0, 1))
            header = (*axes, *(f"{q.label} [{q.unit}]" for q in group))
            tables.append(Table(header, (*index, *(q.values.reshape(-1) for q in group))))
        return tables

    def csv(self, comment: str = "") -> str:
        """Return all tables, one below the other, after the lines of `comment`, which start with #."""
        out = io.StringIO()
        out.writelines(f"# {line}\n" for line in comment.splitlines())
        writer = csv.writer(out, lineterminator="\n")
        for table in self.tables():
            writer.writerow(table.header)
            writer.writerows(table.rows())
            out.write("\n")
        return out.getvalue()

    def to_pandas(self) -> list[Any]:
        """Return every table as a DataFrame, with its axes as the index and `results` as its `attrs`.

        Raises ImportError if pandas is not installed.
        """
        from pandas import DataFrame

        axis_names = {axis for quantity in self.quantities.values() for axis in quantity.axes}
        frames = []
        for table in self.tables():
            # Numbers as temporary names: two columns may have the same label.
            frame = DataFrame(dict(enumerate(table.columns))).set_axis(list(table.header), axis=1)
            axes = [name for name in table.header if name in axis_names]
            frames.append(frame.set_index(axes) if axes else frame)
            frames[-1].attrs.update(self.results)
        return frames

    def json(self, about: Mapping[str, object] | None = None) -> str:
        """Return the whole frame with names and units, after `about`; NaN and infinities become the strings that Python
        prints.
        """
        return json.dumps(
            {
                **(about or {}),
                "step": self.step,
                "steps": self.steps,
                "results": {name: finite(value) for name, value in self.results.items()},
                "diverged": [vars(divergence) for divergence in self.diverged],
                "quantities": {
                    name: {"label": q.label, "unit": q.unit, "axes": q.axes, "values": listed(q.values)}
                    for name, q in self.quantities.items()
                },
            },
            allow_nan=False,
        )


def listed(values: np.ndarray) -> object:
    """Return an array as nested lists that JSON can hold."""
    nested = values.tolist()
    return nested if values.dtype.kind in "biuU" or np.isfinite(values).all() else finite(nested)


def finite(value: object) -> object:
    """Return the same value in a form that JSON can hold."""
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
