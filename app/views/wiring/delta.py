"""Arrows in a plane: what a skip erases and writes; and the size of a stream after many such skips."""

import math
from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import LayoutDOM
from bokeh.models.annotations import Arrow, VeeHead
from bokeh.plotting import figure

from app.pictures.base.dragging import Throttle
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import POWERS, empty, fit, ink, paint, plot, quiet_legend, ticks_at
from app.pictures.base.questions import known
from app.pictures.charts.arrows import fit_square
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number, vector
from sims.simulations.wiring.delta import BETAS, Delta

ARROWS = {
    "x": ("ink", "solid", 2.4),
    "erased": ("failing", "dashed", 2.4),
    "written": ("fourth", "solid", 2.4),
    "image": ("accent", "solid", 3.4),
    "k": ("idle", "solid", 2.4),
}
"""Arrow → color, dash and width; later ones are drawn on top"""

BESIDE = 0.045
"""Distance, as a share of the axis, at which erasing and writing are drawn apart, as they lie on one line"""

NOTHING = 1e-9
"""Shorter arrows are not drawn."""

SQUARE = 0.87
"""Width of the plane over its height, title and legend included, which makes the plane itself a square"""

NAMED_ABOVE = ("erased", "written")
"""Arrows named in a legend, since they may be arbitrarily short"""

LINES = tuple(f"line_{at}" for at in range(len(BETAS)))
ROOMY = 0.4
"""Share of the axis up to which there is room for words beyond a tip"""

HEIGHT, TALLEST = 290, 500
"""Height of the chain in pixels on a phone, where the names of its lines have room at their ends, and the largest on a
wide window, which is about that of the plane"""

HEADROOM = 1.6
"""Factor between the largest size of a stream and the end of the axis"""

ROOM = 114
"""Pixels for the names at the ends of the lines"""


class DeltaView(View[Delta]):
    """The tips of x and of k can be dragged."""

    def draw(self) -> list[LayoutDOM]:
        return [self._draw_plane(), self._draw_chain()]

    def measures(self) -> list[LayoutDOM]:
        values = plot("Eigenvalues of the skip", "β", "factor", x_range=(0, 2), y_range=(-1.2, 1.35))
        self._values = empty("x", "across", "along")
        for name, color, dash, word, place in (
            ("across", "idle", "solid", "across k", (1.98, 1.0)),
            ("along", "accent", "solid", "along k: 1 − β", (0.62, 0.45)),
        ):
            paint(values.line("x", name, source=self._values, line_width=2.6, line_dash=dash), line_color=color)
            align = "right" if name == "across" else "left"
            text = values.text(
                [place[0]], [place[1]], [word], text_font_size="13px", text_baseline="bottom", text_align=align
            )
            paint(text, text_color=color)
        self._here = empty("x", "y", "text")
        dot = values.scatter("x", "y", source=self._here, size=11, level="annotation")
        label = values.text(
            "x", "y", "text", source=self._here, text_font_size="13px", text_align="center", text_baseline="bottom",
            y_offset=-8,
        )  # fmt: skip
        paint(dot, fill_color="accent", line_color="panel")
        paint(label, text_color="ink")
        return [values]

    def update(self, frame: Frame) -> None:
        self._show_plane(frame)
        self._show_chain(frame)
        self._values.data = {"x": frame["along_beta"], "across": frame["across"], "along": frame["along"]}
        beta = self.simulation.beta
        self._here.data = {"x": [beta], "y": [1 - beta], "text": [number(round(1 - beta, 2))]}

    # -- the plane -----------------------------------------------------------------------------------------------

    def _draw_plane(self) -> figure:
        plane = self._plane = plot("One block: drag x or k", "", "", x_range=(-1, 1), y_range=(-1, 1))
        plane.update(aspect_ratio=SQUARE, frame_align=False)
        plane.styles = {"max-width": "clamp(300px, 32vw, 410px)"}
        plane.axis.visible = False
        plane.ygrid.visible = False
        self._cross, self._line = empty("x0", "y0", "x1", "y1"), empty("x0", "y0", "x1", "y1")
        for source, color, dash in ((self._cross, "rule", "solid"), (self._line, "idle", "dotted")):
            line = plane.segment("x0", "y0", "x1", "y1", source=source, line_width=1.5, line_dash=dash)
            paint(line, line_color=color)
        self._arrows, self._words = {}, {}
        for name, (color, dash, wide) in ARROWS.items():
            source = self._arrows[name] = empty("x0", "y0", "x1", "y1")
            head = VeeHead(size=11)
            arrow = Arrow(x_start="x0", y_start="y0", x_end="x1", y_end="y1", source=source, end=head)
            arrow.update(line_width=wide, line_dash=dash)
            ink(arrow, line_color=color)
            ink(head, line_color=color, fill_color=color)
            plane.add_layout(arrow)
            if name in NAMED_ABOVE:
                far = [9e9, 9e9]
                sample = plane.line(far, far, line_width=wide, line_dash=dash, legend_label=name)
                paint(sample, line_color=color)
                continue
            words = self._words[name] = empty("x", "y", "text", "align", "aside", "below")
            text = plane.text(
                "x", "y", "text", source=words, text_font_size="15px", text_align="align", text_baseline="middle",
                x_offset="aside", y_offset="below", level="annotation",
            )  # fmt: skip
            paint(text, text_color=color)
        quiet_legend(plane)
        self._handles = empty("x", "y")
        handles = plane.scatter("x", "y", source=self._handles, size=13, line_width=2, fill_alpha=0)
        paint(handles, line_color="edge")
        known(plane, *(rows[name] for rows in (self._arrows, self._words) for name in ("x", "k")))
        self._held, self._throttle = "x", Throttle()
        for event_type in (PanStart, Tap):
            plane.on_event(event_type, self._on_press)
        plane.on_event(Pan, self._on_pan)
        return plane

    def _show_plane(self, frame: Frame) -> None:
        x, k, erased, image = (frame[name] for name in ("x", "k", "erased", "image"))
        fit_square(self._plane, [x, image, k, x + erased], per_doubling=3)
        reach = self._reach()
        across = np.array([k[1], -k[0]]) * reach * BESIDE
        # Both lie on one line, from x and to the image: each is moved to its own side.
        nowhere, between = np.zeros(2), x + erased
        ends = {
            "x": (nowhere, x),
            "k": (nowhere, k),
            "image": (nowhere, image),
            "erased": (x + across, between + across),
            "written": (between - across, image - across),
        }
        for name, (tail, tip) in ends.items():
            is_drawn = float(np.linalg.norm(tip - tail)) > NOTHING
            self._arrows[name].data = {
                key: [value] if is_drawn else []
                for key, value in zip(("x0", "y0", "x1", "y1"), (*tail, *tip), strict=True)
            }
        self._say("x", f"x {vector(x, '.3g')}", x, image)
        self._say("image", f"x′ {vector(np.round(image, 2), '.3g')}", image, x)
        self._say("k", "k", k, nowhere)
        self._cross.data = {"x0": [-reach, 0], "y0": [0, -reach], "x1": [reach, 0], "y1": [0, reach]}
        far = 3 * reach * k
        self._line.data = {"x0": [-far[0]], "y0": [-far[1]], "x1": [far[0]], "y1": [far[1]]}
        self._handles.data = {"x": [x[0], k[0]], "y": [x[1], k[1]]}

    def _say(self, name: str, text: str, tip: np.ndarray, other: np.ndarray) -> None:
        """Place words beyond the tip of an arrow, away from the center and from the tip of the other arrow."""
        away = _unit(_unit(tip) + _unit(tip - other))
        beyond = abs(tip[0]) > ROOMY * self._reach()
        if beyond:  # Words on its far side would leave the picture, so they are above or below.
            away = np.array([0.0, 1.7 if away[1] >= 0 else -1.7])
            align = "right" if tip[0] > 0 else "left"
        else:
            align = "left" if away[0] > 0.3 else "right" if away[0] < -0.3 else "center"
        self._words[name].data = {
            "x": [tip[0]],
            "y": [tip[1]],
            "text": [text],
            "align": [align],
            "aside": [10 * away[0]],
            "below": [-15 * away[1]],
        }

    def _reach(self) -> float:
        axis: Any = self._plane.x_range
        return float(axis.end)

    def _on_press(self, event: Any) -> None:
        if not isinstance(event.x, float | int):
            return
        x, k = np.array([self.simulation.x1, self.simulation.x2]), self.simulation.direction
        place = np.array([event.x, event.y])
        self._held = "x" if np.linalg.norm(place - x) <= np.linalg.norm(place - k) else "k"
        self._follow(event)

    def _on_pan(self, event: Any) -> None:
        if isinstance(event.x, float | int) and self._throttle.allows():
            self._follow(event)

    def _follow(self, event: Any) -> None:
        if self._held == "x":
            self.drag(x1=float(event.x), x2=float(event.y))
        else:
            # k and −k erase and write along the same line, so the control covers only the upper half.
            self.change("angle", round(math.degrees(math.atan2(event.y, event.x)) % 180))

    # -- the chain -----------------------------------------------------------------------------------------------

    def _draw_chain(self) -> figure:
        chain = self._chain = plot(
            "Many blocks: size of the stream",
            "blocks passed",
            "rms, 1 at the start",
            x_range=(0, 1),
            height=HEIGHT,
            **POWERS,
        )
        chain.styles = {"height": f"clamp({HEIGHT}px, 35vw, {TALLEST}px)"}
        ticks_at(chain.xaxis, [])
        self._lines = empty("x", *LINES, "added", "chosen")
        for name in LINES:
            paint(chain.line("x", name, source=self._lines, line_width=1.4), line_color="idle")
        paint(chain.line("x", "added", source=self._lines, line_width=2.6, line_dash="dashed"), line_color="residual")
        paint(chain.line("x", "chosen", source=self._lines, line_width=3.4), line_color="accent")
        colors = dict.fromkeys(LINES, "idle") | {"added": "residual", "chosen": "accent"}
        self._ends = EndLabels(chain, colors, ROOM)
        return chain

    def _show_chain(self, frame: Frame) -> None:
        lines = dict(zip(LINES, frame["chain"], strict=True)) | {"added": frame["added"], "chosen": frame["chosen"]}
        fit(self._chain, list(lines.values()))
        largest = max(float(np.nanmax(sizes)) for sizes in lines.values())
        axis: Any = self._chain.y_range
        axis.update(end=min(axis.end, HEADROOM * largest))
        last = float(frame["blocks"][-1])
        ticks_at(self._chain.xaxis, [0, last / 4, last / 2, 3 * last / 4, last])
        self._chain.x_range.update(start=0, end=last)
        self._lines.data = {"x": frame["blocks"], **lines}
        beta = self.simulation.beta
        words = {name: f"β = {number(value)}" for name, value in zip(LINES, BETAS, strict=True) if value != beta}
        words |= {
            "added": f"only adding: {number(float(frame['added'][-1]), 2)}",
            "chosen": f"β = {number(beta)} reaches {number(float(frame['chosen'][-1]), 2)}",
        }
        self._ends.show(last, {name: (float(lines[name][-1]), text) for name, text in words.items()})


def _unit(arrow: np.ndarray) -> np.ndarray:
    """The same direction with a length of 1; upward for a zero vector."""
    size = float(np.linalg.norm(arrow))
    return arrow / size if size > NOTHING else np.array([0.0, 1.0])
