"""The plot of a drawn prediction on a worksheet: empty axes to draw in, or the actual curve."""

import math
from collections.abc import Sequence

from markupsafe import Markup, escape

from app.pages.document.drawn_curve import CurveBoard, XAxis, YAxis
from sims.contract.wording import number, tick

WIDE, HIGH = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 74, 16, 30, 48
STEPS = (1, 2, 2.5, 5, 10)
LINES = 5
"""About how many horizontal grid lines a plot has"""
LETTER = 7.5
"""Width of a digit of a label, in pixels"""
LEAST = 1e-9
"""Tolerance for rounding at the ends of an axis"""


def plot(board: CurveBoard, solved: bool) -> Markup:
    """The axes of a prediction as SVG; if `solved`, with the measured points and the line through them."""
    across, up = board.horizontal, board.vertical
    parts = [*_grid(across, up), *(_curve(board) if solved else [])]
    name = f"{up.label} against {across.label}{', actual' if solved else ', to draw into'}"
    head = Markup('<svg class="paper-plot" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(WIDE, HIGH, name)
    return head + Markup("").join(parts) + Markup("</svg>")


def ticks(up: YAxis) -> Sequence[float]:
    """The values of the horizontal grid lines: powers of ten, or about `LINES` round numbers."""
    if up.logarithmic:
        first, last = math.ceil(math.log10(up.low) - LEAST), math.floor(math.log10(up.high) + LEAST)
        apart = max(1, math.ceil((last - first) / LINES))
        return [10.0**power for power in range(first, last + 1, apart)]
    rough = (up.high - up.low) / LINES
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in STEPS if factor * power >= rough * (1 - LEAST))
    first, last = math.ceil(up.low / step - LEAST), math.floor(up.high / step + LEAST)
    return [index * step for index in range(first, last + 1)]


def _x(axis: XAxis, value: float) -> float:
    return LEFT + _share(axis.values[0], axis.values[-1], value, axis.logarithmic) * (WIDE - LEFT - RIGHT)


def _y(axis: YAxis, value: float) -> float:
    share = min(max(_share(axis.low, axis.high, value, axis.logarithmic), 0.0), 1.0)
    return HIGH - BOTTOM - share * (HIGH - TOP - BOTTOM)


def _share(low: float, high: float, value: float, logarithmic: bool) -> float:
    if logarithmic:
        return math.log(value / low) / math.log(high / low) if value > 0 else 0.0
    return (value - low) / (high - low)


def _grid(across: XAxis, up: YAxis) -> list[Markup]:
    line = Markup('<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>')
    text = Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>')
    bottom, right = HIGH - BOTTOM, WIDE - RIGHT
    parts = []
    for value in ticks(up):
        y = _y(up, value)
        label = _label(up, value)
        parts += [line.format("across", LEFT, right, y, y), text.format(LEFT - 8, y + 4, "end", label)]
    occupied = -math.inf
    for value in across.values:
        x, label = _x(across, value), number(value)
        parts.append(line.format("up", x, x, TOP, bottom))
        if x - LETTER * len(label) / 2 > occupied:
            parts.append(text.format(x, bottom + 18, "middle", label))
            occupied = x + LETTER * len(label) / 2
    unit = f", {up.unit}" if up.unit else ""
    return [
        *parts,
        text.format(2, 16, "start", escape(f"{up.label}{unit}")),
        text.format(right, HIGH - 8, "end", escape(f"{across.label} →")),
    ]


def _label(up: YAxis, value: float) -> str:
    if up.logarithmic:
        return tick(round(math.log10(value)))
    return f"{number(100 * value)}%" if up.format == "%" else number(value)


def _curve(board: CurveBoard) -> list[Markup]:
    points = [
        (_x(board.horizontal, value), _y(board.vertical, answer))
        for value, answer in zip(board.horizontal.values, board.measured, strict=True)
        if answer is not None
    ]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = [Markup('<circle cx="{:.1f}" cy="{:.1f}" r="4"/>').format(x, y) for x, y in points]
    return [Markup('<path d="M{}"/>').format(path), *dots] if points else []
