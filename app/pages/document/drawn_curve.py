"""Predictions drawn as a curve: the axes of the plot, and the actual curve shown over the reader's."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from app.pages.text import located_yaml
from app.pages.text.numerals import typeset

FEWEST = 3
"""The fewest points of a curve; for fewer, ask for numbers."""

FORM = re.compile(r"%|\.\d[efg]|")
"""Formats of the numbers on the vertical axis that both `{calc}` and the page's script know."""

NETWORKS = ("plain", "residual")
"""Kinds of networks whose curve has the color they have everywhere."""


@dataclass(frozen=True)
class XAxis:
    """The values for which the reader draws one point each."""

    label: str
    values: Sequence[float]
    logarithmic: bool


@dataclass(frozen=True)
class YAxis:
    """The scale on which the points are drawn; `low` and `high` are its ends."""

    label: str
    low: float
    high: float
    format: str
    unit: str
    logarithmic: bool


@dataclass(frozen=True)
class CurveBoard:
    """Data for the templates: the axes for the page's script, table rows for readers without it, and both axes and the
    measured values for paper. With `in_figure` it is drawn on the axes of the figure in which it is asked."""

    axes: str
    across: str
    up: str
    network: str
    in_figure: bool
    rows: Sequence[tuple[Markup, Markup | None]]
    horizontal: XAxis
    vertical: YAxis
    measured: Sequence[float | None]


def board(data: Mapping[str, Any], answers: Sequence[float | None]) -> CurveBoard:
    """The plot of a prediction with the measured values `answers`. Raises ValueError for invalid axes."""
    horizontal, vertical = x_axis(data["across"]), y_axis(data["up"])
    network = data.get("network", "")
    if network not in ("", *NETWORKS):
        raise ValueError(f"network: expected {' or '.join(NETWORKS)}")
    return CurveBoard(
        axes=json.dumps({"across": asdict(horizontal), "up": asdict(vertical)}),
        across=horizontal.label,
        up=f"{vertical.label}{f' ({vertical.unit})' if vertical.unit else ''}",
        network=network,
        in_figure=in_figure(data),
        rows=[
            (typeset(value), None if answer is None else typeset(answer, vertical.format))
            for value, answer in zip(horizontal.values, answers, strict=True)
        ],
        horizontal=horizontal,
        vertical=vertical,
        measured=answers,
    )


def in_figure(data: Mapping[str, Any]) -> bool:
    """Whether a prediction is made on the axes of the figure that asks for it. Raises ValueError for anything else than
    `axes: figure`."""
    if data.get("axes", "figure") != "figure":
        raise ValueError("axes: expected figure, or nothing")
    return "axes" in data


def x_axis(data: Any) -> XAxis:
    """The horizontal axis. Raises ValueError unless its values are increasing numbers."""
    fields = _fields_of("across", data, ("label", "values"), ("logarithmic",))
    values = fields["values"]
    if not isinstance(values, list) or len(values) < FEWEST or not all(map(_is_number, values)):
        raise ValueError(f"across: values is a list of at least {FEWEST} numbers")
    if any(first >= second for first, second in pairwise(values)):
        raise ValueError("across: the values rise from the first to the last")
    logarithmic = bool(fields.get("logarithmic", False))
    if logarithmic and values[0] <= 0:
        raise ValueError("across: a logarithmic axis begins above zero")
    return XAxis(str(fields["label"]), values, logarithmic)


def y_axis(data: Any) -> YAxis:
    """The vertical axis. Raises ValueError for an invalid scale."""
    fields = _fields_of("up", data, ("label", "from", "to"), ("format", "unit", "logarithmic"))
    low, high, form = fields["from"], fields["to"], str(fields.get("format", ""))
    if not _is_number(low) or not _is_number(high) or not low < high:
        raise ValueError("up: from is a number below to (and YAML wants 1.0e-6, not 1e-6)")
    if not FORM.fullmatch(form):
        raise ValueError(f"up: format is %, .2f, .2g or .2e, not {form!r}")
    logarithmic = bool(fields.get("logarithmic", False))
    if logarithmic and low <= 0:
        raise ValueError("up: a logarithmic scale begins above zero")
    return YAxis(str(fields["label"]), low, high, form, str(fields.get("unit", "")), logarithmic)


def _fields_of(name: str, data: Any, required: Sequence[str], optional: Sequence[str]) -> Mapping[str, Any]:
    try:
        return located_yaml.fields(data, required, optional)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
