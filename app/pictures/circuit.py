"""One block as a circuit: a circle for every number, a wire for every way it takes, forward and back."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from bokeh.events import Pan, PanEnd, PanStart, Tap

from app.pictures.dragging import Throttle, snap
from app.pictures.figures import empty, ink, paint, plot
from sims.contract.frame import Frame
from sims.contract.wording import formatted, number
from sims.simulations.dataflow import Dataflow

ROWS = (4.9, 1.6)
"""Heights of the two numbers of each place"""

INPUT, SUM, END, PLUS, OUTPUT = 0.7, 4.35, 6.0, 7.5, 9.3
"""Columns"""

LEAVES, JOINS = 0.5, 0.24
"""How far from the middle of its circle a skip leaves and arrives"""

ARC = (7.7, -1.2)
"""Height that pulls the arc of each row's skip"""

ALONG = 0.36
"""Where on its wire a weight is written, 0 to 1"""

ASIDE = (30, -30)
"""Pixels from the middle of a circle down to its gradient, for each row: towards the other row, away from the skips"""

UNDER = 16
"""Pixels from a weight down to its gradient"""

TEXTS = {
    "numbers": ("13px", "ink", False),
    "weights": ("12.5px", "ink", True),
    "gradients": ("12px", "accent", False),
    "weight gradients": ("12px", "accent", True),
    "captions": ("12px", "soft", False),
}
"""Kind of text → its size, its color, and whether it covers the wires behind it"""

REACH_X, REACH_Y = 0.62, 0.55
"""How near to a number a pointer must be to hold it"""

PULL = 0.8
"""What a drag over one unit of height adds to a number"""

FAINT = 0.22
"""Opacity of a wire that no number has reached yet"""

WEIGHTS = {"w11": (0, 0), "w12": (0, 1), "w21": (1, 0), "w22": (1, 1)}
"""Name → row and column of the matrix"""

ACTIVE = {
    1: ("weights",),
    2: ("end",),
    3: ("join", "skip"),
    4: ("back",),
    5: ("join", "skip"),
    6: ("end", "weights"),
    7: ("weights", "skip"),
}
"""Moment → the wires on which numbers move; from 4 on they move to the left"""

FIRST = {"weights": 1, "end": 2, "join": 3, "skip": 3, "back": 4}
"""Kind of wire → the moment it is used first"""


class Circuit:
    """The figure, drawn once. `changed(name, value)` is called with what a reader drags or switches in it."""

    def __init__(self, title: str, simulation: Dataflow, changed: Callable[[str, float | str], None]) -> None:
        self._simulation, self._changed = simulation, changed
        self.figure = plot(title, "", "", height=380, x_range=(0, 10), y_range=(-0.75, 7.25), min_border=4)
        self.figure.frame_align = False
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._held: tuple[str, float, float] | None = None
        self._throttle = Throttle()
        self._wires, self._moving = empty("x0", "y0", "x1", "y1", "width", "alpha"), empty("x0", "y0", "x1", "y1")
        arc = ("x0", "y0", "x1", "y1", "cx0", "cy0", "cx1", "cy1")
        self._arcs, self._moving_arcs = empty(*arc, "alpha"), empty(*arc)
        self._arc_heads = empty("x", "y", "angle")
        self._heads, self._circles, self._plus = empty("x", "y", "angle"), empty("x", "y"), empty("x", "y", "text")
        self._texts = {name: empty("x", "y", "text", "down") for name in TEXTS}
        self._draw(arc)
        self.figure.on_event(PanStart, lambda event: self._hold(event.x, event.y))
        self.figure.on_event(Pan, lambda event: self._drag(event.y))
        self.figure.on_event(PanEnd, lambda _event: self._release())
        self.figure.on_event(Tap, lambda event: self._tap(event.x, event.y))

    def _draw(self, arc: tuple[str, ...]) -> None:
        draw = self.figure
        wires = draw.segment("x0", "y0", "x1", "y1", source=self._wires, line_width="width", line_alpha="alpha")
        arcs = draw.bezier(*arc, source=self._arcs, line_width=3, line_alpha="alpha")
        moving = draw.segment("x0", "y0", "x1", "y1", source=self._moving, line_width=3)
        moving_arcs = draw.bezier(*arc, source=self._moving_arcs, line_width=5.5)
        heads = draw.scatter("x", "y", source=self._heads, marker="triangle", angle="angle", size=11)
        circles = draw.scatter("x", "y", source=self._circles, size=41, line_width=1.4)
        plus = draw.scatter("x", "y", source=self._plus, size=24, line_width=1.8)
        self._rings = {
            name: draw.scatter([OUTPUT] * 2, list(ROWS), size=41, line_width=2.6, line_dash=dash, visible=False)
            for name, dash in (("plain", "dashed"), ("residual", "solid"))
        }
        self._plus_circle = plus.glyph
        paint(wires, line_color="edge")
        paint(arcs, line_color="residual")
        paint(moving, line_color="accent")
        paint(moving_arcs, line_color="residual")
        paint(heads, line_color="accent", fill_color="accent")
        arc_heads = draw.scatter("x", "y", source=self._arc_heads, marker="triangle", angle="angle", size=16)
        paint(arc_heads, line_color="residual", fill_color="residual")
        paint(circles, line_color="edge", fill_color="panel")
        paint(plus, line_color="residual", fill_color="panel")
        for name, ring in self._rings.items():
            paint(ring, line_color=name, fill_color="panel")
        middle: dict[str, Any] = {"text_align": "center", "text_baseline": "middle"}
        sign = draw.text("x", "y", "text", source=self._plus, text_font_size="17px", **middle)
        paint(sign, text_color="residual")
        for name, (size, color, boxed) in TEXTS.items():
            texts = draw.text(
                "x", "y", "text", source=self._texts[name], text_font_size=size, y_offset="down", **middle
            )
            paint(texts, text_color=color)
            if boxed:
                texts.glyph.update(background_fill_alpha=0.9, padding=1)
                ink(texts.glyph, background_fill_color="panel")

    # -- showing -------------------------------------------------------------------------------------------------

    def show(self, frame: Frame) -> None:
        """The numbers of a frame, as far as the simulation's moment lets them be seen."""
        moment, residual = self._simulation.moment, self._simulation.wiring == "residual"
        self._show_wires(frame, moment, residual)
        columns = (INPUT, "input", 0), (SUM, "sums", 1), (END, "ended", 2), (OUTPUT, "output", 3)
        self._circles.data = {"x": [x for x, _, _ in columns[:3] for _ in ROWS], "y": list(ROWS) * 3}
        self._texts["numbers"].data = _rows(
            (x, y, brief(frame[name][row]) if moment >= first else "")
            for x, name, first in columns
            for row, y in enumerate(ROWS)
        )
        self._show_weights(frame)
        self._show_gradients(frame, moment)
        last = "ReLU" if self._simulation.ending == "relu" else "linear"
        middle = sum(ROWS) / 2
        captions = [(INPUT, middle, "x ↕"), (SUM, middle, "W x"), (END, middle, last), (OUTPUT, middle, "y")]
        if self._simulation.strength != 1:
            captions += [(0.5 * (END + PLUS) + 0.05, y + 0.3, f"×{number(self._simulation.strength)}") for y in ROWS]
        self._texts["captions"].data = _rows(captions)
        self._plus.data = {"x": [PLUS] * 2, "y": list(ROWS), "text": ["+" if residual else ""] * 2}
        self._plus_circle.line_dash = "solid" if residual else "dotted"
        for name, ring in self._rings.items():
            ring.visible = (name == "residual") == residual

    def _show_wires(self, frame: Frame, moment: int, residual: bool) -> None:
        wires = [
            ("weights", (INPUT, ROWS[j], SUM, ROWS[i]), 1 + 6 * min(1.0, abs(float(frame["products"][i, j]))))
            for i in range(2)
            for j in range(2)
        ]
        wires += [("end", (SUM, y, END, y), 1.5) for y in ROWS]
        wires += [("join", (END, y, OUTPUT, y), 1.5) for y in ROWS]
        moves = ACTIVE.get(moment, ())
        names = ("x0", "y0", "x1", "y1")
        self._wires.data = {
            **{key: [ends[k] for _, ends, _ in wires] for k, key in enumerate(names)},
            "width": [width for _, _, width in wires],
            "alpha": [1.0 if moment >= FIRST[kind] else FAINT for kind, _, _ in wires],
        }
        moving = [ends for kind, ends, _ in wires if kind in moves]
        moving += [(OUTPUT, y, 10.0, y) for y in ROWS] if "back" in moves else []
        self._moving.data = {key: [ends[k] for ends in moving] for k, key in enumerate(names)}
        reached = 1.0 if moment >= FIRST["skip"] else FAINT
        arcs = (
            [
                (INPUT, y + side * LEAVES, PLUS, y + side * JOINS, INPUT + 0.2, pull, PLUS - 0.2, pull)
                for y, side, pull in zip(ROWS, (1, -1), ARC, strict=True)
            ]
            if residual
            else []
        )
        shape = {key: [each[k] for each in arcs] for k, key in enumerate(self._moving_arcs.data)}
        self._arcs.data = {**shape, "alpha": [reached] * len(arcs)}
        self._moving_arcs.data = shape if "skip" in moves else {key: [] for key in shape}
        heads = [_head(ends, moment >= 4) for ends in moving]
        arc_heads = [_arc_head(each, moment >= 4) for each in arcs] if "skip" in moves else []
        for source, found in ((self._heads, heads), (self._arc_heads, arc_heads)):
            source.data = {key: [each[k] for each in found] for k, key in enumerate(("x", "y", "angle"))}

    def _show_weights(self, frame: Frame) -> None:
        self._texts["weights"].data = _rows(
            (*weight_place(name), brief(frame["weights"][where])) for name, where in WEIGHTS.items()
        )

    def _show_gradients(self, frame: Frame, moment: int) -> None:
        places = (OUTPUT, "output_gradient", 4), (END, "ended_gradient", 5), (SUM, "sums_gradient", 6)
        shown = [
            (x, y, f"∂ {brief(frame[name][row])}", ASIDE[row])
            for x, name, first in (*places, (INPUT, "input_gradient", 7))
            for row, y in enumerate(ROWS)
            if moment >= first
        ]
        self._texts["gradients"].data = _rows(shown)
        self._texts["weight gradients"].data = _rows(
            (*weight_place(name), f"∂ {brief(frame['weights_gradient'][where])}", UNDER)
            for name, where in WEIGHTS.items()
            if moment >= 6
        )

    # -- the reader's hand ---------------------------------------------------------------------------------------

    def _handles(self) -> dict[str, tuple[float, float]]:
        """Where the numbers are that can be dragged."""
        places = {"x1": (INPUT, ROWS[0]), "x2": (INPUT, ROWS[1])}
        places |= {name: weight_place(name) for name in WEIGHTS}
        if self._simulation.moment >= 4:
            places |= {f"g{row + 1}": (OUTPUT, y - ASIDE[row] / 46) for row, y in enumerate(ROWS)}
        return places

    def _hold(self, x: float | None, y: float | None) -> None:
        self._held = None
        if not (isinstance(x, float | int) and isinstance(y, float | int)):
            return
        near = {
            name: abs(x - at) / REACH_X + abs(y - height) / REACH_Y
            for name, (at, height) in self._handles().items()
            if abs(x - at) < REACH_X and abs(y - height) < REACH_Y
        }
        if near:
            name = min(near, key=lambda each: near[each])
            self._held = (name, getattr(self._simulation, name), y)

    def _drag(self, y: float | None) -> None:
        if self._held is None or not isinstance(y, float | int) or not self._throttle.allows():
            return
        name, value, began = self._held
        self._changed(name, snap(value + PULL * (y - began), *self._simulation.param[name].bounds))

    def _release(self) -> None:
        self._held = None

    def _tap(self, x: float | None, y: float | None) -> None:
        """The plus sign goes and comes; the last operation becomes another one."""
        if not (isinstance(x, float | int) and isinstance(y, float | int)):
            return
        if min(abs(y - each) for each in ROWS) > REACH_Y:
            return
        if abs(x - PLUS) < REACH_X:
            self._changed("wiring", "plain" if self._simulation.wiring == "residual" else "residual")
        elif abs(x - END) < REACH_X:
            self._changed("ending", "linear" if self._simulation.ending == "relu" else "relu")


def weight_place(name: str) -> tuple[float, float]:
    """Where on the figure a weight is written."""
    row, column = WEIGHTS[name]
    return INPUT + ALONG * (SUM - INPUT), ROWS[column] + ALONG * (ROWS[row] - ROWS[column])


def brief(value: float) -> str:
    """Two decimals as long as they fit into a circle."""
    return formatted(value, ".2f" if abs(value) < 9.995 else ".1f")


def _rows(found: Iterable[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """Columns of texts from rows of x, y, text and, where it does not stand at its place, how far below it stands."""
    rows = [(*row, 0)[:4] for row in found]
    return {key: [row[k] for row in rows] for k, key in enumerate(("x", "y", "text", "down"))}


def _head(ends: tuple[float, ...], back: bool) -> tuple[float, float, float]:
    """Place and angle of the arrow head on a wire."""
    x0, y0, x1, y1 = ends
    along = 0.72
    return x0 + along * (x1 - x0), y0 + along * (y1 - y0), (np.pi / 2 if back else -np.pi / 2)


def _arc_head(arc: tuple[float, ...], back: bool) -> tuple[float, float, float]:
    """Place and angle of the arrow head on a skip: at its middle, where it is level."""
    x0, y0, x1, _y1, cx0, cy0, cx1, cy1 = arc
    return (x0 + 3 * cx0 + 3 * cx1 + x1) / 8, (y0 + 3 * cy0 + 3 * cy1 + y0) / 8, (np.pi / 2 if back else -np.pi / 2)
