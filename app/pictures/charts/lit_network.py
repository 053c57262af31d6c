"""Blocks in a row with arcs over them, a signal of two inputs above, the gradient below, perhaps a bar for an error.

Lines are as thick and as bright as what they show is large: one more power of ten adds `THICKER` pixels. On a phone,
where all arcs in one row would be too narrow for a finger, the network is broken into two rows, as a text is.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, named_ticks, paint, plot, words
from app.pictures.base.questions import known
from app.pictures.base.screens import NARROW, PHONE, WIDE, only_on
from app.pictures.base.timed import Timed, playable
from sims.contract.wording import number
from sims.instruments.networks.weighted_passes import angle

ROWS = {WIDE: 1, NARROW: 2}
"""Screen → rows of blocks"""

DROP = 5.65
"""Distance from a row to the next"""

LANES = {"forward": 2.65, "network": 0.3, "back": -1.15, "bar": -2.45}
"""Heights of the middles of what is in the first row, and of the bar under it"""

WORDS = {"forward": 3.75, "back": -0.5, "bar": -1.95}
"""Heights of the words about three of them"""

LOWEST = {True: -2.95, False: -2.75}
"""Lower end of a picture with and without a bar, if it had one row: there is room for the play button"""

HIGHEST = 4.1

HEIGHTS = {WIDE: {True: 430, False: 400}, NARROW: {True: 595, False: 575}}
"""Screen → pixels with and without a bar"""

UNIT = 57
"""Pixels of a unit of height on a wide window, about; on a phone, lines are thinner in proportion"""

BESIDE = {WIDE: 0.03, NARROW: 0.015}
"""Screen → room beside a row, as a share of its length"""

MARGIN = 7
WIDER = {"width": f"calc(100% + {2 * MARGIN}px)", "max-width": "none", "margin-inline": f"-{MARGIN}px"}
"""On a phone, the picture has some of the figure's margin, so that an arc is 24 pixels wide"""

APART = 0.75
"""Distance of each line from the middle of the lane where two inputs are at right angles"""

ARC, BOX, BAR = 1.15, (0.46, 0.62), 0.42
"""Height of an arc; width and height of a block; height of the bar"""

REACH = (-0.4, 1.7)
"""Lower and upper end of what can be pressed"""

NORMS = {"none": (0.0, 0.0), "pre": (-0.84, 0.5), "post": (0.0, 0.86)}
"""Place of a norm → where its bar is, seen from the place after the block, and the height of the bar"""

NORM_WIDTH = 0.12

THICK, THICKER, THINNEST, THICKEST = 7.0, 3.0, 1.5, 20.0
DARK_AFTER, DARKEST = 8, 0.07
"""Powers of ten below 1 at which a line has faded to an opacity of `DARKEST`"""

HALO, HALO_ALPHA = 2.8, 0.16
"""A wide pale line around a line: times as thick, and its share of the opacity"""

BEAT = 50
"""Milliseconds that the signal takes from block to block"""

PALE = 0.3
"""Share of a line's opacity before the signal has come there, while the figure plays"""

FINEST = 25
"""Points of an arc"""


@dataclass(frozen=True)
class Bar:
    """An error, 0 to 1; `lowest` and `highest` are its range."""

    error: float
    lowest: float
    highest: float
    guessing: float
    """The error of a guess, which gets a mark"""
    words: str


@dataclass(frozen=True)
class Light:
    """What is measured in a network of some blocks, at places from the stem to the last block."""

    stream: np.ndarray
    """(places,) size relative to the first place"""
    degrees: np.ndarray
    """(places,) angle between two inputs"""
    gradient: np.ndarray
    """(places,) size relative to the last place"""
    forward_words: str
    back_words: str
    bar: Bar | None = None
    norm: str = "none"
    """A key of `NORMS`"""

    @classmethod
    def of(
        cls,
        stream: np.ndarray,
        likeness: np.ndarray,
        gradient: np.ndarray,
        results: Mapping[str, float | int | str],
        *,
        compared: str = "images",
        bar: Bar | None = None,
        norm: str = "none",
    ) -> "Light":
        """Light from measured signals, (places,) each, and a frame's results of the same names.

        `likeness` is the mean cosine of two inputs, which are `compared`; their angles at the ends are the results
        "came" and "apart", in degrees.
        """
        rounded = {name: number(float(value), 2) for name, value in results.items()}
        return cls(
            stream,
            np.array([angle(float(cosine)) for cosine in likeness]),
            gradient,
            f"Forward →  stream × {rounded['stream']}, {compared} {rounded['came']}° → {rounded['apart']}° apart",
            f"← Back  gradient × {rounded['gradient']}",
            bar,
            norm,
        )


@dataclass(frozen=True)
class Boxes:
    """What the boxes of a network are: blocks, or the two branches of its blocks in turn."""

    plural: str = "Blocks"
    letters: str = ""
    """What the boxes have on them, one letter after the other, from the first again; the second kind has a fill of its
    own"""


BLOCKS = Boxes()


class LitNetwork:
    """The same network for both kinds of screens. On a click on an arc, `pressed` gets the number of its block, from
    1."""

    def __init__(
        self, title: str, most: int, pressed: Callable[[int], None], bar: bool = False, boxes: Boxes = BLOCKS
    ) -> None:
        self.screens = {screen: Rows(screen, title, most, pressed, bar, boxes) for screen in ROWS}
        self.figures: list[LayoutDOM] = [rows.figure for rows in self.screens.values()]

    def show(self, light: Light, without: Collection[int]) -> None:
        """Show a network in which the blocks of `without`, counted from 1, have no arc."""
        for rows in self.screens.values():
            rows.show(light, without)


class Rows:
    """The figure on one kind of screen. It plays by itself."""

    def __init__(
        self, screen: str, title: str, most: int, pressed: Callable[[int], None], bar: bool, kinds: Boxes
    ) -> None:
        self._rows, self._beside, self._kinds = ROWS[screen], BESIDE[screen], kinds
        self._foot = (self._rows - 1) * DROP
        ends: dict[str, Any] = {"x_range": (-0.8, most + 0.8), "y_range": (LOWEST[bar] - self._foot, HIGHEST)}
        self.figure = plot(title, "", "", height=HEIGHTS[screen][bar], **ends)
        self.figure.styles = {"grid-column": "1 / -1"}
        if screen == NARROW:
            self.figure.update(styles=self.figure.styles | WIDER, min_border_left=0, min_border_right=0)
            heading: Any = self.figure.title
            heading.offset = MARGIN  # the text of the figure begins there
        only_on(screen, self.figure, PHONE)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        named_ticks(self.figure.xaxis, {})
        named_ticks(self.figure.yaxis, {})
        self._blocks, self._pressed = most, pressed
        self._wire = empty("x", "y")
        paint(self.figure.multi_line("x", "y", source=self._wire, line_width=2), line_color="edge")
        self._boxes, self._passing = empty("x", "y"), Timed("x", "y")
        boxes = self.figure.rect("x", "y", *BOX, source=self._boxes, line_width=1.2)
        paint(boxes, fill_color="wash", line_color="edge")
        if kinds.letters:
            self._seconds = empty("x", "y")
            seconds = self.figure.rect("x", "y", *BOX, source=self._seconds, line_width=1.2)
            paint(seconds, fill_color="rule", line_color="edge")
        passing = self.figure.rect("x", "y", *BOX, source=self._passing.source, alpha="alpha", line_width=1.2)
        paint(passing, fill_color="accent", line_color="accent")
        if kinds.letters:
            self._letters = empty("x", "y", "text")
            words(self.figure, self._letters, "ink")
        self._arcs = {}
        for kind, color, look in (("kept", "residual", "solid"), ("cut", "zero", "dotted")):
            source = self._arcs[kind] = empty("x", "y")
            arcs = self.figure.multi_line("x", "y", source=source, line_width=3, line_dash=look)
            paint(arcs, line_color=color)
        self._norms = empty("x", "y", "height")
        norms = self.figure.rect("x", "y", NORM_WIDTH, "height", source=self._norms, line_color=None)
        paint(norms, fill_color="ink")
        self._sums = empty("x", "y")
        sums = self.figure.scatter("x", "y", source=self._sums, marker="cross", size=9, line_width=2.4)
        paint(sums, line_color="residual")
        self._lines = {
            name: self._line(color) for name, color in (("one", "third"), ("other", "fifth"), ("back", "fourth"))
        }
        self._ends = empty("x", "y")
        paint(self.figure.scatter("x", "y", source=self._ends, size=9), fill_color="ink", line_color="panel")
        self._track, self._bar, self._range = (empty("left", "right", "bottom", "top") for _ in range(3))
        for source, color in ((self._track, "wash"), (self._bar, "failing"), (self._range, "ink")):
            part = self.figure.quad("left", "right", "bottom", "top", source=source, line_color=None)
            paint(part, fill_color=color)
        self._end, self._guess = (empty("x", "bottom", "top") for _ in range(2))
        for source, color in ((self._end, "failing"), (self._guess, "ink")):
            mark = self.figure.segment("x", "bottom", "x", "top", source=source, line_width=2.5)
            paint(mark, line_color=color)
        self._words = empty("x", "y", "text")
        words(self.figure, self._words, "ink", text_align="left", text_font_size="14px")
        self._further = empty("x", "y", "text")
        words(self.figure, self._further, "soft", text_align="left", text_font_size="14px")
        known(self.figure, self._wire, self._boxes, *self._arcs.values(), self._norms, self._sums, self._further)
        if kinds.letters:
            known(self.figure, self._seconds, self._letters)
        self._tag = playable(
            self.figure,
            "",
            2 * most + 1,
            [*self._lines.values(), self._passing],
            [],
            [],
            "Play: through the network, and back",
            BEAT,
            again=True,
        )
        self.figure.on_event(Tap, self._on_tap)

    def _line(self, color: str) -> Timed:
        rows = Timed("xs", "ys", "bright")
        bands = self.figure.patches("xs", "ys", source=rows.source, fill_alpha="alpha", line_color=None)
        paint(bands, fill_color=color)
        return rows

    def show(self, light: Light, without: Collection[int]) -> None:
        """Show a network in which the blocks of `without`, counted from 1, have no arc."""
        blocks = self._blocks = len(light.stream) - 1
        long = self._long
        starts = range(0, blocks, long)
        numbers, last = range(1, blocks + 1), 2 * blocks + 1
        self.figure.x_range.update(start=-self._beside * long, end=(1 + self._beside) * long)
        middle = LANES["network"]
        ends: list[float] = [min(long, blocks - start) for start in starts]
        if light.norm == "pre":
            ends[-1] += self._last_norm
        self._wire.data = {
            "x": [[0, end] for end in ends],
            "y": [[middle - at * DROP] * 2 for at in range(len(starts))],
        }
        self._further.data = {
            "x": [0] * (len(starts) - 1),
            "y": [WORDS["forward"] - at * DROP for at in range(1, len(starts))],
            "text": [f"{self._kinds.plural} {start + 1} to {min(start + long, blocks)}" for start in starts[1:]],
        }
        middles = [self._place(block, 0.5, middle) for block in numbers]
        self._boxes.data = {"x": [x for x, _y in middles], "y": [y for _x, y in middles]}
        if letters := self._kinds.letters:
            seconds = middles[1 :: len(letters)]
            self._seconds.data = {"x": [x for x, _y in seconds], "y": [y for _x, y in seconds]}
            texts = [letters[(block - 1) % len(letters)] for block in numbers]
            self._letters.data = self._boxes.data | {"text": texts}
        passes = [
            (place, moment, moment)
            for block, place in zip(numbers, middles, strict=True)
            for moment in (block, last - block)
        ]
        self._passing.show(passes, last)
        with_skip = [block for block in numbers if block not in without]
        for kind, members in (("kept", with_skip), ("cut", sorted(without))):
            arcs = [_arc(*self._place(block, 0.5, middle)) for block in members]
            self._arcs[kind].data = {"x": [x for x, _y in arcs], "y": [y for _x, y in arcs]}
        sums = [self._place(block, 1, middle) for block in with_skip]
        self._sums.data = {"x": [x for x, _y in sums], "y": [y for _x, y in sums]}
        self._norms.data = self._norm_bars(light.norm)
        apart = APART * np.nan_to_num(light.degrees) / 90
        for name, way in (("one", 1), ("other", -1)):
            height = LANES["forward"] + way * apart
            self._show_line(name, light.stream, height, [(block, last) for block in numbers], last)
        back = np.full(blocks + 1, LANES["back"])
        self._show_line("back", light.gradient, back, [(last - block, last) for block in numbers], last)
        end_x, end_y = self._place(blocks, 1, LANES["back"])
        self._ends.data = {
            "x": [0, 0, end_x],
            "y": [LANES["forward"] + apart[0], LANES["forward"] - apart[0], end_y],
        }
        self._words.data = {
            "x": [0, 0],
            "y": [WORDS["forward"], WORDS["back"]],
            "text": [light.forward_words, light.back_words],
        }
        if light.bar:
            self._show_bar(light.bar)
        self._tag.data = {"moment": [last], "last": [last]}

    @property
    def _long(self) -> int:
        """Blocks in a row, except perhaps in the last."""
        return -(-self._blocks // self._rows)

    def _place(self, block: int, share: float, height: float) -> tuple[float, float]:
        """Where a height of the first row is in the row of a block, at a share of the block's width."""
        row, before = divmod(block - 1, self._long)
        return before + share, height - row * DROP

    @property
    def _last_norm(self) -> float:
        """How far past the last block the norm before the head is."""
        return 2 / 3 * self._beside * self._long

    def _norm_bars(self, norm: str) -> dict[str, list[float]]:
        """The bars of the norms: one for each block, and with "pre" one more before the head."""
        shift, height = NORMS[norm]
        shares = [(block, 1 + shift) for block in range(1, self._blocks + 1)] if height else []
        if norm == "pre":
            shares.append((self._blocks, 1 + self._last_norm))
        places = [self._place(block, share, LANES["network"]) for block, share in shares]
        return {"x": [x for x, _y in places], "y": [y for _x, y in places], "height": [height] * len(places)}

    def _show_bar(self, bar: Bar) -> None:
        foot, head = (LANES["bar"] - self._foot + way * BAR / 2 for way in (-1, 1))
        for source, left, right, thin in (
            (self._track, 0.0, 1.0, 0.0),
            (self._bar, 0.0, bar.error, 0.0),
            (self._range, bar.lowest, bar.highest, 0.4 * BAR),
        ):
            finite = [(left, right)] if math.isfinite(left) and math.isfinite(right) else []
            source.data = {
                "left": [left * self._long for left, _right in finite],
                "right": [right * self._long for _left, right in finite],
                "bottom": [foot + thin] * len(finite),
                "top": [head - thin] * len(finite),
            }
        for source, at in ((self._end, bar.error), (self._guess, bar.guessing)):
            places = [at * self._long] if math.isfinite(at) else []
            source.data = {"x": places, "bottom": [foot] * len(places), "top": [head] * len(places)}
        texts = self._words.data
        self._words.data = {
            "x": [*texts["x"], 0],
            "y": [*texts["y"], WORDS["bar"] - self._foot],
            "text": [*texts["text"], bar.words],
        }

    def _show_line(
        self, name: str, sizes: np.ndarray, heights: np.ndarray, times: list[tuple[int, int]], moment: int
    ) -> None:
        """Draw a band per block, as thick at its ends as the sizes are large, on top of a halo."""
        with np.errstate(divide="ignore", invalid="ignore"):
            decades = np.log10(sizes)
        half = np.array([thickness(size) for size in decades]) / 2 / UNIT
        bands = []
        for thicker, paler in ((HALO, HALO_ALPHA), (1.0, 1.0)):
            low, high = heights - thicker * half, heights + thicker * half
            for at, time in enumerate(times):
                bright = paler * brightness((decades[at] + decades[at + 1]) / 2)
                if not math.isnan(bright):
                    corners = [
                        self._place(at + 1, share, height)
                        for share, height in ((0, low[at]), (1, low[at + 1]), (1, high[at + 1]), (0, high[at]))
                    ]
                    bands.append((([x for x, _y in corners], [y for _x, y in corners], bright), *time))
        self._lines[name].show(bands, moment, PALE)

    def _on_tap(self, event: Any) -> None:
        if not all(isinstance(value, float | int) and math.isfinite(value) for value in (event.x, event.y)):
            return
        row = math.floor((REACH[1] - event.y) / DROP)
        if not (0 <= row < self._rows and event.y + row * DROP >= REACH[0] and 0 <= event.x <= self._long):
            return
        block = row * self._long + max(math.ceil(event.x), 1)
        if block <= self._blocks:
            self._pressed(block)


def thickness(decades: float) -> float:
    """Return the thickness in pixels of a line for a size of 10 to the power of `decades`."""
    return float(np.clip(THICK + THICKER * decades, THINNEST, THICKEST))


def brightness(decades: float) -> float:
    """Return the opacity of a line for a size of 10 to the power of `decades`, up to 1."""
    return float(np.clip(1 + decades / DARK_AFTER, DARKEST, 1))


def _arc(x: float, foot: float) -> tuple[np.ndarray, np.ndarray]:
    """The arc over a block with its middle at `x`, from the place before it to the one after it."""
    turn = np.linspace(0, math.pi, FINEST)
    return x - 0.46 * np.cos(turn), foot + ARC * np.sin(turn)
