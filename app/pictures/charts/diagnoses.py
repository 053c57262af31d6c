"""Small pictures side by side, one per network: the stream's gradients as bars, the diagnosis, and the final error."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Tap

from app.pictures.base.figures import POWERS, empty, fit, paint, plot, ticks_at
from sims.contract.frame import Frame
from sims.contract.wording import percent

HEIGHT = 320

SIGNS = {"vanished": "▼", "exploded": "▲", "stalled": "■", "tilted": "◆", "fine": "●"}
"""Diagnosis → its sign: a failure is shown by shape and name, not only by color"""

LEFT, RIGHT = 0.06, 0.94
"""Left and right end of the bars in a picture, whose width is 1"""

HEAD = 0.5
"""Height of the words, as a share of the axis below them"""

LINES = {"name": (4, 13, "bold"), "sign": (23, 17, "normal"), "verdict": (46, 13, "bold"), "error": (64, 13, "normal")}
"""Line of words → its pixels from the top, its font size and its weight"""

SAID = (
    ("name", "ink"),
    *((line, color) for line in ("sign", "verdict") for color in ("failing", "healthy", "soft")),
    ("error", "ink"),
)
"""Lines of words, each with the colors it may have"""


@dataclass(frozen=True)
class Network:
    """The content of a picture: a frame of `Failures`, or None if there was no run, and whether the network has a
    skip."""

    frame: Frame | None
    skip: bool = False


class Diagnoses:
    """The figure, created once; `show` moves it. `tapped(name)` is called with the picture that is clicked."""

    def __init__(self, title: str, tapped: Callable[[str], None]) -> None:
        self.figure = plot(
            title,
            "gradient of the stream, after the stem and after each block",
            "",
            height=HEIGHT,
            x_range=(0, 3),
            **POWERS,
        )
        self.figure.styles = {"grid-column": "1 / -1"}
        ticks_at(self.figure.xaxis, [])
        self.figure.ygrid.visible = False
        self._names: list[str] = []
        box = ("left", "right", "bottom", "top")
        self._boxes, self._chosen = empty(*box), empty(*box)
        boxes = self.figure.quad(*box, source=self._boxes, line_dash="dashed", fill_alpha=0)
        chosen = self.figure.quad(*box, source=self._chosen, line_width=2, fill_alpha=0.5)
        paint(boxes, line_color="rule")
        paint(chosen, line_color="accent", fill_color="wash")
        self._bars = {name: empty(*box) for name in ("plain", "residual")}
        for name, source in self._bars.items():
            paint(self.figure.quad(*box, source=source, line_color=None), fill_color=name)
        self._zeros, self._level = empty("x", "y"), empty("x0", "y0", "x1", "y1")
        zeros = self.figure.scatter("x", "y", source=self._zeros, marker="x", size=7)
        level = self.figure.segment("x0", "y0", "x1", "y1", source=self._level, line_width=1.6, line_dash="dotted")
        paint(zeros, line_color="zero", fill_color="zero")
        paint(level, line_color="ink")
        self._words = {key: empty("x", "y", "text") for key in SAID}
        for (line, color), source in self._words.items():
            down, size, weight = LINES[line]
            looks: dict[str, Any] = {"text_font_size": f"{size}px", "text_font_style": weight, "y_offset": down}
            text = self.figure.text("x", "y", "text", source=source, text_align="center", text_baseline="top", **looks)
            paint(text, text_color=color)

        def press(event: Any) -> None:
            if isinstance(event.x, float | int) and 0 <= event.x < len(self._names):
                tapped(self._names[int(event.x)])

        self.figure.on_event(Tap, press)

    def show(self, networks: Mapping[str, Network], chosen: str) -> None:
        """Show the networks by name, from left to right; one of them is the chosen one.

        A bar extends from the gradient at the last place of the stream to that at its own place.
        """
        self._names = list(networks)
        gradients = {
            name: np.empty(0) if network.frame is None else network.frame["stream gradient at start"]
            for name, network in networks.items()
        }
        foot = fit(self.figure, list(gradients.values()))
        vertical: Any = self.figure.y_range
        top = (10.0 ** -np.floor(np.log10(foot)) * vertical.end) ** HEAD * vertical.end
        self._show_boxes(foot, top, self._names.index(chosen))
        self._show_bars(networks, gradients, foot)
        self._show_words(networks, top)
        self.figure.x_range.update(end=len(networks))
        vertical.update(end=top)

    def _show_boxes(self, foot: float, top: float, chosen: int) -> None:
        columns = np.arange(len(self._names))
        rows = {
            "left": columns + 0.02,
            "right": columns + 0.98,
            "bottom": np.full(len(columns), foot),
            "top": np.full(len(columns), top),
        }
        self._boxes.data = rows
        self._chosen.data = {key: values[[chosen]] for key, values in rows.items()}

    def _show_bars(self, networks: Mapping[str, Network], gradients: Mapping[str, np.ndarray], foot: float) -> None:
        bars: dict[str, list[tuple[float, ...]]] = {name: [] for name in self._bars}
        zeros, levels = [], []
        for column, (name, values) in enumerate(gradients.items()):
            edges = column + LEFT + (RIGHT - LEFT) * np.arange(len(values) + 1) / max(len(values), 1)
            for left, right, value in zip(edges, edges[1:], values, strict=False):
                if value > 0 and np.isfinite(value):
                    gap, level = 0.12 * (right - left), max(values[-1], foot)
                    bars["residual" if networks[name].skip else "plain"].append((left + gap, right - gap, level, value))
                elif value == 0:
                    zeros.append(((left + right) / 2, foot * 1.5))
            if len(values) and values[-1] > 0:
                levels.append((edges[0], values[-1], edges[-1], values[-1]))
        for name, source in self._bars.items():
            source.data = _columns(("left", "right", "bottom", "top"), bars[name])
        self._zeros.data = _columns(("x", "y"), zeros)
        self._level.data = _columns(("x0", "y0", "x1", "y1"), levels)

    def _show_words(self, networks: Mapping[str, Network], top: float) -> None:
        texts: dict[tuple[str, str], list[tuple[Any, ...]]] = {key: [] for key in self._words}
        for column, (name, network) in enumerate(networks.items()):
            sign, verdict, color, error = _verdict(network.frame)
            words = ("name", "ink", name), ("sign", color, sign), ("verdict", color, verdict), ("error", "ink", error)
            for line, hue, text in words:
                texts[line, hue].append((column + 0.5, top, text))
        for key, rows in texts.items():
            self._words[key].data = _columns(("x", "y", "text"), rows)


def _verdict(frame: Frame | None) -> tuple[str, str, str, str]:
    """The sign of the diagnosis, its words and color, and the share of wrong answers."""
    if frame is None:
        return "", "not run", "soft", ""
    error = f"error {percent(float(frame.results['training_error']))}"
    diagnosis = str(frame.results["diagnosis"])
    if diagnosis not in SIGNS:
        return "", f"step {frame.step}" if frame.step else "untrained", "soft", error
    return SIGNS[diagnosis], diagnosis, "healthy" if diagnosis == "fine" else "failing", error


def _columns(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}
