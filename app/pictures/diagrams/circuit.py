"""One block as a playable circuit: a circle for every number, a wire for each of its paths, forward and backward."""

from collections.abc import Callable
from typing import Any

from bokeh.events import Pan, PanEnd, PanStart, Tap

from app.pictures.base.dragging import Throttle, snap
from app.pictures.base.figures import empty, ink, paint, plot
from app.pictures.base.timed import WAY, Journey, Timed, Travelers, playable, straight
from app.pictures.diagrams.circuit_plan import (
    ACTIVE,
    ARCS,
    ARRIVALS,
    ASIDE,
    BACK,
    BACKWARD,
    END,
    FIRST,
    HOME,
    INPUT,
    LAST,
    OUTPUT,
    PLUS,
    ROWS,
    SAID,
    SAID_AT,
    SUM,
    THERE,
    UNDER,
    WEIGHTS,
    WIRES,
    arc_head,
    head,
    weight_place,
)
from sims.contract.frame import Frame
from sims.contract.wording import formatted, number
from sims.simulations.shortcuts.dataflow import Dataflow

TEXTS = {
    "numbers": ("13px", "ink", False),
    "weights": ("13px", "ink", True),
    "gradients": ("13px", "accent", False),
    "weight gradients": ("13px", "accent", True),
    "captions": ("13px", "soft", False),
    "said": ("13px", "ink", False),
}
"""Kind of text → its size, its color, and whether it covers the wires behind it"""

ARRIVING = ("numbers", "gradients", "weight gradients")
"""Kinds of text that appear when the values they are computed from have arrived"""

REACH_X, REACH_Y = 0.62, 0.55
"""Horizontal and vertical distance from a number within which a pointer grabs it"""

PULL = 0.8
"""Change of a number per unit of height of a drag"""

PLAY = "Play: forward, and the gradient back"
FAINT = 0.22
"""Opacity of a wire that no value has reached yet"""


class Circuit:
    """The figure, created once. `changed(name, value)` is called with what a reader drags or switches in it."""

    def __init__(self, title: str, simulation: Dataflow, changed: Callable[[str, float | str], None]) -> None:
        self._simulation, self._changed = simulation, changed
        self.figure = plot(title, "", "", height=410, x_range=(0, 10), y_range=(-1.75, 7.5), min_border=4)
        self.figure.frame_align = False
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._held: tuple[str, float, float] | None = None
        self._throttle = Throttle()
        ends, arrow = ("x0", "y0", "x1", "y1"), ("x", "y", "angle")
        self._wires, self._moving = Timed(*ends, "width"), Timed(*ends)
        self._arcs, self._moving_arcs = Timed(*WAY), Timed(*WAY)
        self._heads, self._arc_heads = Timed(*arrow), Timed(*arrow)
        self._circles, self._plus = empty("x", "y"), empty("x", "y", "text")
        self._texts = {name: Timed("x", "y", "text", "down") for name in TEXTS}
        self._dots = {"accent": Travelers(), "residual": Travelers()}
        self._draw()
        arriving = [self._texts[name] for name in ARRIVING]
        others = [text for text in self._texts.values() if text not in arriving]
        lines = (self._wires, self._moving, self._arcs, self._moving_arcs, self._heads, self._arc_heads)
        dots = list(self._dots.values())
        self._now = playable(self.figure, "moment", LAST, [*lines, *others], arriving, dots, PLAY)
        self.figure.on_event(PanStart, lambda event: self._hold(event.x, event.y))
        self.figure.on_event(Pan, lambda event: self._drag(event.y))
        self.figure.on_event(PanEnd, lambda _event: self._release())
        self.figure.on_event(Tap, lambda event: self._tap(event.x, event.y))

    def _draw(self) -> None:
        draw = self.figure
        fading: dict[str, Any] = {"line_alpha": "alpha"}
        filled = fading | {"fill_alpha": "alpha"}
        wires = draw.segment("x0", "y0", "x1", "y1", source=self._wires.source, line_width="width", **fading)
        arcs = draw.bezier(*WAY, source=self._arcs.source, line_width=3, **fading)
        moving = draw.segment("x0", "y0", "x1", "y1", source=self._moving.source, line_width=3, **fading)
        moving_arcs = draw.bezier(*WAY, source=self._moving_arcs.source, line_width=5.5, **fading)
        heads = draw.scatter("x", "y", source=self._heads.source, marker="triangle", angle="angle", size=11, **filled)
        # Under the circles and the words: a dot vanishes at the rim of a node, and covers no number.
        for color, dots in self._dots.items():
            dot = draw.scatter("x", "y", source=dots.source, size="size", line_width=1.5, **filled)
            paint(dot, fill_color=color, line_color="panel")
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
        arc_heads = draw.scatter(
            "x", "y", source=self._arc_heads.source, marker="triangle", angle="angle", size=16, **filled
        )
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
                "x",
                "y",
                "text",
                source=self._texts[name].source,
                text_font_size=size,
                y_offset="down",
                text_alpha="alpha",
                **middle,
            )
            paint(texts, text_color=color)
            if boxed:
                texts.glyph.update(background_fill_alpha="alpha", padding=1)
                ink(texts.glyph, background_fill_color="panel")

    # -- showing -------------------------------------------------------------------------------------------------

    def show(self, frame: Frame) -> None:
        """Show the numbers of a frame that are visible at the simulation's moment."""
        moment, residual = self._simulation.moment, self._simulation.wiring == "residual"
        self._now.data = {"moment": [moment]}
        self._show_wires(frame, moment, residual)
        self._show_journeys(frame, residual)
        columns = (INPUT, "input", 0), (SUM, "sums", 1), (END, "ended", 2), (OUTPUT, "output", 3)
        self._circles.data = {"x": [x for x, _, _ in columns[:3] for _ in ROWS], "y": list(ROWS) * 3}
        numbers = [
            ((x, y, brief(frame[name][row]), 0), first, LAST)
            for x, name, first in columns
            for row, y in enumerate(ROWS)
        ]
        self._texts["numbers"].show(numbers, moment)
        weights = [((*weight_place(name), brief(frame["weights"][at]), 0), 0, LAST) for name, at in WEIGHTS.items()]
        self._texts["weights"].show(weights, moment)
        self._show_gradients(frame, moment)
        self._show_captions(moment)
        self._plus.data = {"x": [PLUS] * 2, "y": list(ROWS), "text": ["+" if residual else ""] * 2}
        self._plus_circle.line_dash = "solid" if residual else "dotted"
        for name, ring in self._rings.items():
            ring.visible = (name == "residual") == residual

    def _show_wires(self, frame: Frame, moment: int, residual: bool) -> None:
        products = frame["products"]
        wires = [
            (kind, (*ends, 1 + 6 * min(1.0, abs(float(products[i, j]))) if kind == "weights" else 1.5))
            for kind, ends, (i, j) in WIRES
        ]
        self._wires.show([(row, FIRST[kind], LAST) for kind, row in wires], moment, FAINT)
        moving = [
            (ends, at, at)
            for at, moves in ACTIVE.items()
            for kind, ends in [*((kind, ends) for kind, ends, _ in WIRES), *(("back", ends) for ends in ARRIVALS)]
            if kind in moves
        ]
        self._moving.show(moving, moment)
        self._heads.show([(head(ends, at >= BACK), at, at) for ends, at, _ in moving], moment)
        arcs = ARCS if residual else ()
        self._arcs.show([(arc, FIRST["skip"], LAST) for arc in arcs], moment, FAINT)
        lit = [(arc, at, at) for at, moves in ACTIVE.items() if "skip" in moves for arc in arcs]
        self._moving_arcs.show(lit, moment)
        self._arc_heads.show([(arc_head(arc, at >= BACK), at, at) for arc, at, _ in lit], moment)

    def _show_journeys(self, frame: Frame, residual: bool) -> None:
        """Dots whose size shows the traveling numbers: through the branch, and on the skip for the whole time."""
        branch = []
        for kind, ends, (i, j) in WIRES:
            forward = {"weights": frame["products"][i, j], "end": frame["sums"][i], "join": frame["branch"][i]}[kind]
            backward = {
                "weights": frame["sums_gradient"][i],
                "end": frame["ended_gradient"][i],
                "join": frame["output_gradient"][i],
            }[kind]
            branch.append(Journey(straight(*ends), FIRST[kind], 0, 1, _size(forward)))
            branch.append(Journey(straight(*ends), BACKWARD[kind], 1, 0, _size(backward)))
        for row, ends in enumerate(ARRIVALS):
            branch.append(Journey(straight(*ends), BACK, 1, 0, _size(frame["output_gradient"][row])))
        self._dots["accent"].show(branch)
        skip = [
            Journey(arc, at, begin, end, _size(value))
            for row, arc in enumerate(ARCS if residual else ())
            for value, legs in ((frame["input"][row], THERE), (frame["output_gradient"][row], HOME))
            for at, begin, end in legs
        ]
        self._dots["residual"].show(skip)

    def _show_gradients(self, frame: Frame, moment: int) -> None:
        places = (OUTPUT, "output_gradient", 4), (END, "ended_gradient", 5), (SUM, "sums_gradient", 6)
        gradients = [
            ((x, y, f"∂ {brief(frame[name][row])}", ASIDE[row]), first, LAST)
            for x, name, first in (*places, (INPUT, "input_gradient", 7))
            for row, y in enumerate(ROWS)
        ]
        self._texts["gradients"].show(gradients, moment)
        weights = [
            ((*weight_place(name), f"∂ {brief(frame['weights_gradient'][at])}", UNDER), 6, LAST)
            for name, at in WEIGHTS.items()
        ]
        self._texts["weight gradients"].show(weights, moment)

    def _show_captions(self, moment: int) -> None:
        last = "ReLU" if self._simulation.ending == "relu" else "linear"
        middle = sum(ROWS) / 2
        captions = [
            (INPUT, middle, "x ↕", 0),
            (SUM, middle, "W x", 0),
            (END, middle, last, 0),
            (OUTPUT, middle, "y", 0),
        ]
        if self._simulation.strength != 1:
            strength = f"×{number(self._simulation.strength)}"
            captions += [(0.5 * (END + PLUS) + 0.05, y + 0.3, strength, 0) for y in ROWS]
        self._texts["captions"].show([(row, 0, LAST) for row in captions], moment)
        texts = enumerate(SAID[self._simulation.wiring])
        self._texts["said"].show([((*SAID_AT, text, 0), at, at) for at, text in texts], moment)

    # -- input ---------------------------------------------------------------------------------------------------

    def _handles(self) -> dict[str, tuple[float, float]]:
        """The places of the numbers that can be dragged."""
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
            name = min(near, key=lambda handle: near[handle])
            self._held = (name, getattr(self._simulation, name), y)

    def _drag(self, y: float | None) -> None:
        if self._held is None or not isinstance(y, float | int) or not self._throttle.allows():
            return
        name, value, began = self._held
        self._changed(name, snap(value + PULL * (y - began), *self._simulation.param[name].bounds))

    def _release(self) -> None:
        self._held = None

    def _tap(self, x: float | None, y: float | None) -> None:
        """A click on the plus sign toggles the skip; a click on the last operation toggles between ReLU and linear."""
        if not (isinstance(x, float | int) and isinstance(y, float | int)):
            return
        if min(abs(y - row) for row in ROWS) > REACH_Y:
            return
        if abs(x - PLUS) < REACH_X:
            self._changed("wiring", "plain" if self._simulation.wiring == "residual" else "residual")
        elif abs(x - END) < REACH_X:
            self._changed("ending", "linear" if self._simulation.ending == "relu" else "relu")


def brief(value: float) -> str:
    """Two decimals, or one for larger numbers, so that the text fits into a circle."""
    return formatted(value, ".2f" if abs(value) < 9.995 else ".1f")


def _size(value: float) -> float:
    """Diameter in pixels of the dot of a number."""
    return 8 + 9 * min(1.0, abs(float(value)))
