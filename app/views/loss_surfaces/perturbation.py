"""Five bars for five small networks, and a change that travels through four deep ones; as a measure, its curves."""

import math
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.block_strips import GAP, BlockStrip, BlockStrips
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import PLACES, POWERS, empty, fit, paint, plot, words
from app.pictures.base.questions import chosen_here, known
from app.pictures.base.timed import Timed, playable
from app.pictures.charts.lanes import Lanes
from app.views.base import View
from sims.contract.bands import ENDINGS, read
from sims.contract.frame import Frame
from sims.contract.wording import number, tick
from sims.simulations.loss_surfaces.perturbation import Perturbation

DEEP = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("residual", "residual", "solid"),
    "scaled": ("branches / √L", "third", "dotdash"),
    "pre-layer": ("Pre-LN", "fourth", "dotted"),
}

PITCH, KEY, AROUND = 52, 46, 36
"""Height of a network, of the key below all of them, and of what is around both, in pixels"""

WIRE, NAME = 17, 43
"""Heights of the blocks and of the words in the room of a network"""

BOX, ARC = 8, 17
"""Half the height of a block, and the height of an arc"""

THINNEST, THICKEST = 1.0, 20.0
"""Thickness of the smallest and of the largest power of ten"""

SOLID, PALE = 0.9, 0.25
"""Opacity of a median, and of the largest of the seeds around it"""

BEAT = 60
"""Milliseconds that the change takes from block to block"""


class PerturbationView(View[Perturbation]):
    """How far outputs move, and how far the stream moves block by block. A click on a block changes that one."""

    def draw(self) -> list[LayoutDOM]:
        self._rows = Lanes(
            "Five small networks",
            "how far the output moves",
            {"plain": "plain", "residual": "residual"},
            room=0.28,
        )
        self._rows.figure.ygrid.visible = True
        # The names of the networks are long: on a phone they must not take space from the other picture too.
        self._rows.figure.update(frame_align=False)
        chosen_here(self._rows.figure)
        return [self._rows.figure, self._networks()]

    def _networks(self) -> LayoutDOM:
        height = PITCH * len(DEEP) + KEY
        travel = self._travel = plot(
            "Four deep networks: press a block to change it",
            "",
            "",
            height=height + AROUND,
            x_range=(0, 1),
            y_range=(-KEY, PITCH * len(DEEP)),
            frame_align=False,
            min_border=2,
        )
        travel.axis.visible = False
        travel.grid.visible = False
        self._strips = BlockStrips(travel, BOX, ARC)
        self._changed = empty("left", "right", "bottom", "top")
        changed = travel.quad("left", "right", "bottom", "top", source=self._changed, line_width=1.4)
        paint(changed, fill_color="ink", line_color="ink")
        self._bands, self._names, self._ends = {}, {}, {}
        for name, (_label, color, _dash) in DEEP.items():
            rows = self._bands[name] = Timed("xs", "ys", "bright")
            band = travel.patches("xs", "ys", source=rows.source, fill_alpha="alpha", line_color=None)
            paint(band, fill_color=color)
            self._names[name], self._ends[name] = empty("x", "y", "text"), empty("x", "y", "text")
            words(travel, self._names[name], color, text_align="left", text_font_style="bold")
            words(travel, self._ends[name], color, text_align="right", text_font_style="bold")
        self._wedge, self._key = empty("x", "y"), empty("x", "y", "text", "align")
        paint(travel.patches("x", "y", source=self._wedge, line_color=None), fill_color="soft")
        words(travel, self._key, "soft", text_align="align")
        known(travel, self._changed, *self._names.values())
        timed = list(self._bands.values())
        self._now = playable(travel, "", 1, timed, [], [], "Play: the change travels", BEAT, again=True)
        travel.on_event(Tap, self._on_pointer)
        return travel

    def measures(self) -> list[LayoutDOM]:
        curves = self._curves = plot("How far the stream moves", "block", "change", height=330, **PLACES, **POWERS)
        curves.styles = {"grid-column": "1 / -1"}
        self._source = empty("x", *(f"{name}{ending}" for name in DEEP for ending in ENDINGS.values()))
        for name, (_label, color, dash) in DEEP.items():
            band = curves.varea("x", f"{name}_low", f"{name}_high", source=self._source, fill_alpha=0.16)
            line = curves.line("x", name, source=self._source, line_width=2.4, line_dash=dash)
            paint(band, fill_color=color)
            paint(line, line_color=color)
        self._labels = EndLabels(curves, {name: color for name, (_label, color, _dash) in DEEP.items()}, 86)
        return [curves]

    def update(self, frame: Frame) -> None:
        names = frame["network"].tolist()
        texts = [number(length) for length in frame["change"].tolist()]
        kinds = ["plain" if name.startswith("plain") else "residual" for name in names]
        self._rows.show(names, frame["change"], texts, kinds, longest=0.1)
        place, blocks = int(frame.results["place"]), len(frame["block"]) - 1
        changes = {name: [values[place:] for values in read(frame, name)] for name in DEEP}
        self._show_networks(changes, place, blocks)
        columns = {
            f"{name}{ending}": values
            for name, of_one in changes.items()
            for ending, values in zip(ENDINGS.values(), of_one, strict=True)
        }
        last = max(blocks, 2)
        self._source.data = {"x": frame["block"][place:], **columns}
        self._curves.x_range.update(start=0, end=last)
        fit(self._curves, list(columns.values()))
        self._labels.show(last, {name: (float(of_one[0][-1]), DEEP[name][0]) for name, of_one in changes.items()})

    def _show_networks(self, changes: dict[str, list[np.ndarray]], place: int, blocks: int) -> None:
        self._travel.x_range.update(start=-0.01 * blocks, end=1.01 * blocks)
        every = range(1, blocks + 1)
        strips = {
            name: BlockStrip(0, blocks, PITCH * row + WIRE, blocks, () if name == "plain" else every)
            for row, name in enumerate(reversed(DEEP))
        }
        self._strips.show(list(strips.values()))
        heights = [strip.height for strip in strips.values()]
        self._changed.data = {
            "left": [place - 1 + GAP] * len(heights),
            "right": [place - GAP] * len(heights),
            "bottom": [height - BOX for height in heights],
            "top": [height + BOX for height in heights],
        }
        low, high = _decades([values for _median, *rest in changes.values() for values in rest])
        for name, (median, _lowest, highest) in changes.items():
            height = strips[name].height
            bands = []
            for bright, sizes in ((PALE, highest), (SOLID, median)):
                half = _half(sizes, low, high)
                bands += [
                    (((start, end, end, start), _around(height, before, after), bright), end, blocks + 1)
                    for start, end, before, after in zip(
                        range(place, blocks), range(place + 1, blocks + 1), half, half[1:], strict=False
                    )
                    if before and after
                ]
            self._bands[name].show(bands, blocks + 1)
            above = height - WIRE + NAME
            self._names[name].data = {"x": [0], "y": [above], "text": [DEEP[name][0]]}
            self._ends[name].data = {"x": [blocks], "y": [above], "text": [f"moves by {number(float(median[-1]))}"]}
        self._show_key(low, high, blocks)
        self._now.data = {"moment": [blocks + 1], "last": [blocks + 1]}

    def _show_key(self, low: int, high: int, blocks: int) -> None:
        """A wedge from the smallest power of ten to the largest, right of the play button."""
        height, left, right = -KEY / 2, 0.62 * blocks, 0.82 * blocks
        self._wedge.data = {"x": [(left, right, right, left)], "y": [_around(height, THINNEST / 2, THICKEST / 2)]}
        room = 0.02 * blocks
        self._key.data = {
            "x": [left - room, right + room],
            "y": [height] * 2,
            "text": [f"change: {tick(low)}", tick(high)],
            "align": ["right", "left"],
        }

    def _on_pointer(self, event: Any) -> None:
        if isinstance(event.x, float | int):
            blocks = self.simulation.depth
            self.change("place", min(max(math.ceil(event.x), 1), blocks))


def _decades(values: list[np.ndarray]) -> tuple[int, int]:
    """Powers of ten around all positive values, at least two apart."""
    positive = np.concatenate([value[value > 0] for value in values])
    low = math.floor(np.log10(positive.min(initial=1.0)))
    return low, max(math.ceil(np.log10(positive.max(initial=10.0**low))), low + 2)


def _half(sizes: np.ndarray, low: int, high: int) -> list[float]:
    """Half the thickness of a band for each size; 0 for a size of zero."""
    positive = sizes > 0
    shares = (np.log10(np.where(positive, sizes, 1)) - low) / (high - low)
    thick = THINNEST + (THICKEST - THINNEST) * np.clip(shares, 0, 1)
    halves: list[float] = np.where(positive, thick / 2, 0).tolist()
    return halves


def _around(height: float, before: float, after: float) -> tuple[float, ...]:
    """The vertical corners of a band that is centered at a height."""
    return height - before, height - after, height + after, height + before
