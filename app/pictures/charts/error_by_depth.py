"""Published errors against depth, each labeled with its number; errors known only as lower bounds have their own strip
above a break of the axis."""

from typing import Any

import numpy as np
from bokeh.models.formatters import PrintfTickFormatter

from app.pictures.base.direct import spread_out
from app.pictures.base.figures import empty, hover, ink, named_ticks, paint, plot, ticks_at
from sims.contract.frame import Frame

HEIGHT = 360

MARKS = {
    "residual": ("circle", "residual"),
    "plain": ("square", "plain"),
    "bound": ("triangle", "plain"),
    "folklore": ("x", "soft"),
}
"""Kind of number → marker and color"""

LINES = {"residual": "solid", "plain": "dashed"}
"""Kind of number → dash of the line that joins its points"""

STRIP, LINE = 0.2, 0.068
"""Height of the strip above the break, and of a line of text, as shares of the axis below it"""

BEFORE, AFTER = 0.86, 2.9
"""Margins at the ends of the depth axis, as factors"""

ASIDE, BELOW = -9, 15
"""Offset in pixels of a label from a line that falls to its right, and from the line through the best number"""

FOOT = 0.17
"""Margin below the best number, as a share of the range of errors"""

MOST_TICKS = 8

NEAR = 1.5
"""Depths closer than this factor would have overlapping labels on a narrow screen"""


class ErrorByDepth:
    """The figure, created once; `show` moves it. A tooltip shows the source of each number."""

    def __init__(self, title: str) -> None:
        self.figure = plot(
            title, "layers (logarithmic)", "error", x_axis_type="log", height=HEIGHT, x_range=(1, 10), y_range=(0, 1)
        )
        self.figure.styles = {"grid-column": "1 / -1"}
        self.figure.yaxis.formatter = PrintfTickFormatter(format="%.0f%%")
        named_ticks(self.figure.xaxis, {})
        ticks_at(self.figure.yaxis, [])
        self._best, self.gap = empty("x", "y"), empty("x", "y")
        paint(self.figure.line("x", "y", source=self._best, line_dash="dotted", line_width=2), line_color="residual")
        paint(self.figure.line("x", "y", source=self.gap, line_dash=[14, 5], line_width=5), line_color="rule")
        columns = ("depth", "y", "model", "label", "measured", "where", "low", "mean", "high")
        self.sources, marks = {}, []
        for name, (marker, color) in MARKS.items():
            source = self.sources[name] = empty(*columns)
            if name in LINES:
                line = self.figure.line("depth", "y", source=source, line_width=2.2, line_dash=LINES[name])
                paint(line, line_color=color)
            bars = self.figure.segment("depth", "low", "depth", "high", source=source, line_width=2)
            mark = self.figure.scatter("depth", "y", source=source, marker=marker, size=11, line_width=2)
            mark.level = "annotation"
            mean = self.figure.scatter("depth", "mean", source=source, marker="dash", size=12, line_width=2)
            paint(bars, line_color=color)
            paint(mean, line_color=color)
            paint(mark, fill_color=color, line_color=color)
            marks.append(mark)
        tooltips = [("model", "@model"), ("error", "@label"), ("measures", "@measured"), ("source", "@where")]
        hover(self.figure, tooltips, renderers=marks)
        self.words = {color: empty("x", "y", "text", "size", "down") for color in ("residual", "plain", "soft")}
        for color, source in self.words.items():
            text = self.figure.text(
                *("x", "y", "text"),
                source=source,
                text_font_size="size",
                text_baseline="middle",
                x_offset=10,
                y_offset="down",
            )
            paint(text, text_color=color)
            text.glyph.update(background_fill_alpha=0.85)
            ink(text.glyph, background_fill_color="panel")

    def show(self, frame: Frame) -> None:
        """Show the numbers of a frame of `Published`."""
        published, bound = frame["published"], frame["lower_bound"]
        kinds = {
            "residual": (frame["family"] == "residual") & published & ~bound,
            "plain": (frame["family"] == "plain") & published & ~bound,
            "bound": published & bound,
            "folklore": ~published,
        }
        lowest, highest = frame["error"][~bound].min(), frame["error"][~bound].max()
        tall = highest - lowest
        foot, head = lowest - FOOT * tall, highest + 0.08 * tall
        above = head + STRIP * (head - foot) / 2
        heights = np.where(bound, above, frame["error"])
        for name, rows in kinds.items():
            self._show_kind(name, frame, np.flatnonzero(rows), heights)
        self._show_words(frame, kinds, heights, LINE * (head - foot))
        depths = sorted(set(frame["depth"].tolist()))
        left, right = depths[0] * BEFORE, depths[-1] * AFTER ** max(1.0, np.log10(depths[-1] / depths[0])) ** 0.5
        best = frame["error"][kinds["residual"]].min()
        self._best.data = {"x": [left, right], "y": [best, best]}
        self.gap.data = {"x": [left, right] if bound.any() else [], "y": [head, head] if bound.any() else []}
        self.figure.x_range.update(start=left, end=right)
        self.figure.y_range.update(start=foot, end=head + STRIP * (head - foot) if bound.any() else head)
        named_ticks(self.figure.xaxis, {depth: str(depth) for depth in _apart(depths)})
        whole = range(int(np.ceil(foot)), int(head) + 1)
        ticks_at(self.figure.yaxis, whole[:: 1 + len(whole) // MOST_TICKS])

    def _show_kind(self, name: str, frame: Frame, rows: np.ndarray, heights: np.ndarray) -> None:
        rows = rows[np.argsort(frame["depth"][rows], kind="stable")]
        spread = np.nan_to_num(frame["std"][rows])
        middle = np.where(np.isfinite(frame["mean"][rows]), frame["mean"][rows], heights[rows])
        self.sources[name].data = {
            **{column: frame[column][rows] for column in ("depth", "model", "measured", "where")},
            "y": heights[rows],
            "label": [_error_text(frame, row) for row in rows],
            "low": middle - spread,
            "mean": np.where(spread > 0, middle, np.nan),
            "high": middle + spread,
        }

    def _show_words(self, frame: Frame, kinds: dict[str, np.ndarray], heights: np.ndarray, line: float) -> None:
        """Label every published point; the best and the deepest residual network have larger labels."""
        labels: dict[str, list[tuple[Any, ...]]] = {color: [] for color in self.words}
        residual = np.flatnonzero(kinds["residual"])
        best = residual[np.argmin(frame["error"][residual])]
        ends = {best, residual[np.argmax(frame["depth"][residual])]}
        written: list[tuple[int, float]] = []
        for depth in np.unique(frame["depth"]):
            rows = [int(row) for row in np.flatnonzero((frame["depth"] == depth) & frame["published"])]
            for row, y in zip(rows, spread_out([float(heights[row]) for row in rows], line), strict=True):
                if row not in ends and any(x < depth < 2 * NEAR * x and abs(y - up) < line for x, up in written):
                    continue
                written.append((depth, y))
                family = str(frame["family"][row])
                alike = kinds["bound"] if frame["lower_bound"][row] else kinds[family]
                name = family if depth == frame["depth"][alike].max() else ""
                if row in ends:
                    labels[family].append((depth, y, _error_text(frame, row), "17px", BELOW * (row == best)))
                    labels[family].append((depth, y + 1.3 * line, name, "13px", 0))
                else:
                    down = ASIDE * (len(rows) == 1 and not name)
                    labels[family].append((depth, y, f"{name} {_error_text(frame, row)}".strip(), "13px", down))
        if kinds["folklore"].any():
            lowest = np.flatnonzero(kinds["folklore"])[np.argmin(frame["error"][kinds["folklore"]])]
            labels["soft"].append((frame["depth"][lowest], heights[lowest], "circulates, not in the paper", "13px", 0))
        for color, rows_of in labels.items():
            keys = ("x", "y", "text", "size", "down")
            self.words[color].data = {key: [values[k] for values in rows_of] for k, key in enumerate(keys)}


def _error_text(frame: Frame, row: int) -> str:
    bound = frame["lower_bound"][row]
    return f"{'over ' if bound else ''}{frame['error'][row]:.{0 if bound else 2}f}%"


def _apart(depths: list[int]) -> list[int]:
    """The depths that the axis has room to label."""
    labeled = depths[:1]
    for depth in depths[1:]:
        if depth >= NEAR * labeled[-1]:
            labeled.append(depth)
    return labeled
