"""Towers of blocks side by side, one per network, lit by the stream's gradients, with diagnosis and final error.

Light comes in at the last block, on top. It is as wide and as bright as the gradient is large, on a logarithmic scale.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Tap

from app.pictures.base.figures import LINES as CLOSE
from app.pictures.base.figures import columns_of, empty, paint, plot, ticks_at
from app.pictures.base.questions import known
from app.pictures.charts.lit_network import brightness
from sims.contract.frame import Frame
from sims.contract.wording import number, percent

HEIGHT, HIGHEST = 430, 620
"""Height in pixels on a phone and on a wide window"""

SIGNS = {"vanished": "▼", "exploded": "▲", "stalled": "■", "tilted": "◆", "fine": "●"}
"""Diagnosis → its sign: a failure is shown by shape and name, not only by color"""

BODY, MOST = 0.19, 0.42
"""Half the width of a tower, which is also that of the light at its top, and of the widest light; a column is 1 wide"""

HALO, HALO_ALPHA = 0.035, 0.18
"""A pale rim around the light: how far it reaches, and its share of the opacity"""

LEAST_DECADES = 6.0
"""The scale has at least so many powers of ten, so that level gradients look level"""

HOT = "#fff3d6"
"""Core of light that is larger than at the top, in both themes: inside the color of the network"""

HOT_AFTER, CORE = 4.0, 0.55
"""Powers of ten above the top at which the core is opaque, and its share of the light's width"""

HEAD, FOOT = 0.37, -0.2
"""Heights of the words above and below a tower, whose height is 1"""

LINES = {
    "name": (4, 13, "bold"),
    "sign": (23, 17, "normal"),
    "verdict": (46, 13, "bold"),
    "error": (64, 13, "normal"),
    "ratio": (6, 13, "normal"),
}
"""Line of words → its pixels from the top, its font size and its weight"""

SAID = (
    ("name", "ink"),
    *((line, color) for line in ("sign", "verdict") for color in ("failing", "healthy", "soft")),
    ("error", "ink"),
    ("ratio", "soft"),
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
            "gradient of the stream, last layer on top",
            "",
            height=HEIGHT,
            x_range=(0, 3),
            y_range=(FOOT, 1 + HEAD),
        )
        self.figure.styles = {"grid-column": "1 / -1", "height": f"clamp({HEIGHT}px, 50vw, {HIGHEST}px)"}
        ticks_at(self.figure.xaxis, [])
        self.figure.yaxis.visible = False
        self.figure.ygrid.visible = False
        self._names: list[str] = []
        box = ("left", "right", "bottom", "top")
        self._boxes, self._chosen = empty(*box), empty(*box)
        boxes = self.figure.quad(*box, source=self._boxes, line_dash="dashed", fill_alpha=0)
        chosen = self.figure.quad(*box, source=self._chosen, line_width=2, fill_alpha=0.5)
        paint(boxes, line_color="rule")
        paint(chosen, line_color="accent", fill_color="wash")
        self._bodies = empty(*box)
        paint(self.figure.quad(*box, source=self._bodies, line_width=1), fill_color="wash", line_color="rule")
        self.lights = {name: empty(*box, "bright") for name in ("plain", "residual")}
        for name, source in self.lights.items():
            paint(self.figure.quad(*box, source=source, line_color=None, fill_alpha="bright"), fill_color=name)
        self._cores, self._zeros = empty("x", "y", "wide", "high", "bright"), empty("x", "y")
        self.figure.rect(
            *("x", "y", "wide", "high"), source=self._cores, fill_color=HOT, fill_alpha="bright", line_color=None
        )
        zeros = self.figure.scatter("x", "y", source=self._zeros, marker="x", size=7)
        paint(zeros, line_color="zero", fill_color="zero")
        self._words = {key: empty("x", "y", "text") for key in SAID}
        for (line, color), source in self._words.items():
            down, size, weight = LINES[line]
            looks: dict[str, Any] = {
                "text_font_size": f"{size}px",
                "text_font_style": weight,
                "y_offset": down,
                "text_line_height": CLOSE,
            }
            text = self.figure.text("x", "y", "text", source=source, text_align="center", text_baseline="top", **looks)
            paint(text, text_color=color)
        known(self.figure, self._boxes, self._bodies, self._words["name", "ink"])

        def press(event: Any) -> None:
            if isinstance(event.x, float | int) and 0 <= event.x < len(self._names):
                tapped(self._names[int(event.x)])

        self.figure.on_event(Tap, press)

    def show(self, networks: Mapping[str, Network], chosen: str) -> None:
        """Show the networks by name, from left to right; one of them is the chosen one."""
        self._names = list(networks)
        decades = {name: _decades(network.frame) for name, network in networks.items()}
        self._show_boxes(self._names.index(chosen))
        self._show_lights(networks, decades)
        self._show_words(networks)
        self.figure.x_range.update(end=len(networks))

    def _show_boxes(self, chosen: int) -> None:
        columns = np.arange(len(self._names))
        rows = {
            "left": columns + 0.02,
            "right": columns + 0.98,
            "bottom": np.full(len(columns), FOOT),
            "top": np.full(len(columns), 1 + HEAD),
        }
        self._boxes.data = rows
        self._chosen.data = {key: values[[chosen]] for key, values in rows.items()}

    def _show_lights(self, networks: Mapping[str, Network], decades: Mapping[str, np.ndarray]) -> None:
        lights: dict[str, list[tuple[float, ...]]] = {name: [] for name in self.lights}
        halos: dict[str, list[tuple[float, ...]]] = {name: [] for name in self.lights}
        bodies, cores, zeros = [], [], []
        finite = [values[np.isfinite(values)] for values in decades.values()]
        scale = max(LEAST_DECADES, *(float(np.abs(values).max(initial=0)) for values in finite))
        for column, (name, values) in enumerate(decades.items()):
            middle, kind = column + 0.5, "residual" if networks[name].skip else "plain"
            for place, size in enumerate(values):
                low, high = (place + 0.08) / len(values), (place + 0.92) / len(values)
                bodies.append((middle - BODY, middle + BODY, low, high))
                if np.isneginf(size):
                    zeros.append((middle, (low + high) / 2))
                if not np.isfinite(size):
                    continue
                half, bright = min(BODY * (1 + size / scale), MOST), brightness(size)
                rim = half + HALO
                lights[kind].append((middle - half, middle + half, low, high, bright))
                halos[kind].append((middle - rim, middle + rim, low, high, HALO_ALPHA * bright))
                if size > 0:
                    hot = float(min(size / HOT_AFTER, 1))
                    cores.append((middle, (low + high) / 2, 2 * CORE * half, high - low, hot))
        for kind, source in self.lights.items():
            source.data = columns_of(halos[kind] + lights[kind], "left", "right", "bottom", "top", "bright")
        self._bodies.data = columns_of(bodies, "left", "right", "bottom", "top")
        self._cores.data = columns_of(cores, "x", "y", "wide", "high", "bright")
        self._zeros.data = columns_of(zeros, "x", "y")

    def _show_words(self, networks: Mapping[str, Network]) -> None:
        texts: dict[tuple[str, str], list[tuple[Any, ...]]] = {key: [] for key in self._words}
        for column, (name, network) in enumerate(networks.items()):
            sign, verdict, color, error = _verdict(network.frame)
            words = ("name", "ink", name), ("sign", color, sign), ("verdict", color, verdict), ("error", "ink", error)
            for line, hue, text in words:
                texts[line, hue].append((column + 0.5, 1 + HEAD, text))
            texts["ratio", "soft"].append((column + 0.5, 0.0, _ratio(network.frame)))
        for key, rows in texts.items():
            self._words[key].data = columns_of(rows, "x", "y", "text")


def _verdict(frame: Frame | None) -> tuple[str, str, str, str]:
    """The sign of the diagnosis, its words and color, and the share of wrong answers, or how a reader gets them."""
    if frame is None:
        return "", "not trained yet", "soft", "press, then Train"
    error = f"error {percent(float(frame.results['training_error']))}"
    diagnosis = str(frame.results["diagnosis"])
    if diagnosis not in SIGNS:
        return "", f"step {frame.step}" if frame.step else "untrained", "soft", error
    return SIGNS[diagnosis], diagnosis, "healthy" if diagnosis == "fine" else "failing", error


def _decades(frame: Frame | None) -> np.ndarray:
    """(places,) powers of ten between the stream's gradient at each place and that at the last one."""
    if frame is None:
        return np.empty(0)
    gradients = frame["stream gradient at start"]
    with np.errstate(divide="ignore", invalid="ignore"):
        decades: np.ndarray = np.log10(gradients / gradients[-1])
    return decades


def _ratio(frame: Frame | None) -> str:
    return "" if frame is None else f"first ÷ last\n{number(float(frame.results['ratio']), 2)}"
