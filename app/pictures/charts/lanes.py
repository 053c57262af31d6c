"""Horizontal bars, one lane per name, with a text at the end of every lane."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import FactorRange

from app.pictures.base.figures import TICKS, empty, named_ticks, paint, plot
from app.pictures.base.questions import known
from sims.contract.wording import tick

LANE, FRAME = 26, 74
"""Height of a lane, and of everything around the lanes, in pixels"""

TALL, THICK, DOWN = 48, 0.36, 0.2
"""Height of a lane with its name above its bar, in pixels; thickness of that bar, and how far it is below the middle of
its lane, in lanes: a name is close to its own bar, and far from the one above"""


class Lanes:
    """One figure. Bars start at 0; on a logarithmic axis they start at 1, or, for sizes, at the lower end."""

    def __init__(
        self,
        title: str,
        x_label: str,
        kinds: Mapping[str, str],
        *,
        room: float = 0.3,
        logarithmic: bool = False,
        sizes: bool = False,
        border: int = 0,
        above: bool = False,
    ) -> None:
        """`kinds`: kind of a bar → its color. `room` is the share of the width reserved for the texts.

        `sizes`: the logarithmic axis shows sizes, for which a 1 still needs a bar, and not ratios. With a `border` of
        some pixels right of the axis, each text is at the end of its bar, and may reach into the border. With
        `above`, names are above their bars, so that the bars have the whole width.
        """
        self._above = above
        self._room, self._logarithmic, self._sizes, self._at_bars = room, logarithmic, sizes, border > 0
        self._range = FactorRange(range_padding=0.3 if above else 0.1, range_padding_units="absolute")
        options: dict[str, Any] = {"x_axis_type": "log"} if logarithmic else {}
        self.figure = plot(title, x_label, "", x_range=(0.1, 1), y_range=self._range, **options)
        if logarithmic:
            named_ticks(self.figure.xaxis, {})
        if border:
            self.figure.min_border_right = border
        self.figure.yaxis.major_tick_line_color = None
        self.figure.ygrid.visible = False
        self._bars = {}
        y = "place" if above else "name"
        columns = ("name", "place") if above else ("name",)
        for kind, color in kinds.items():
            source = self._bars[kind] = empty(*columns, "left", "right")
            bars = self.figure.hbar(
                y, height=THICK if above else 0.6, left="left", right="right", source=source, line_color=None
            )
            paint(bars, fill_color=color)
        self._texts = empty(*columns, "x", "text")
        texts = self.figure.text(
            "x",
            y,
            "text",
            source=self._texts,
            text_align="left" if border else "right",
            text_baseline="middle",
            text_font_size="13px",
            x_offset=6 if border else -4,
            level="overlay",
        )
        paint(texts, text_color="ink")
        self._names = empty("place", "x", "text")
        if above:
            self.figure.yaxis.visible = False
            look: dict[str, Any] = {"text_font_size": "13px", "text_baseline": "bottom", "level": "overlay"}
            names = self.figure.text("x", "place", "text", source=self._names, y_offset=-1, **look)
            paint(names, text_color="ink")
            known(self.figure, self._names)

    def show(
        self, names: Sequence[str], values: np.ndarray, texts: Sequence[str], kinds: Sequence[str], longest: float = 0
    ) -> None:
        """Move the data; the first name is on top. A value that is not finite has a text and no bar.

        The axis extends at least to `longest`.
        """
        factors = list(reversed(names))
        if factors != self._range.factors:
            self._range.factors = factors
            self.figure.height = FRAME + (TALL if self._above else LANE) * len(factors)
        drawable = np.isfinite(values) & ((values > 0) | (not self._logarithmic))
        foot, end = self._fit(np.append(values[drawable], longest) if longest else values[drawable])
        for kind, source in self._bars.items():
            chosen = [at for at, bar_kind in enumerate(kinds) if bar_kind == kind and drawable[at]]
            source.data = self._rows([names[at] for at in chosen]) | {
                "left": [foot] * len(chosen),
                "right": [float(values[at]) for at in chosen],
            }
        ends = [max(float(value), foot) if drawn else foot for value, drawn in zip(values, drawable, strict=True)]
        self._texts.data = self._rows(names) | {
            "x": ends if self._at_bars else [end] * len(names),
            "text": list(texts),
        }
        if self._above:
            tops = [(name, THICK / 2 - DOWN) for name in names]
            self._names.data = {"place": tops, "x": [foot] * len(names), "text": list(names)}

    def _rows(self, names: Sequence[str]) -> dict[str, Any]:
        """The columns that say in which lanes something is, and with names above, how far down."""
        return {"name": list(names)} | ({"place": [(name, -DOWN) for name in names]} if self._above else {})

    def _fit(self, values: np.ndarray) -> tuple[float, float]:
        """Fit the axis to all values and the texts right of them; return where bars start and where the axis ends."""
        axis: Any = self.figure.x_range
        if not self._logarithmic:
            end = float(max(values, default=1.0)) / (1 - self._room)
            if axis.end != end or axis.start != 0:
                axis.update(start=0, end=end)
            return 0.0, end
        powers = np.log10(values)
        low, high = math.floor(min(powers, default=0.0)), math.ceil(max(powers, default=0.0))
        if self._sizes and low in powers:
            low -= 1
        low, high = min(low, 0 if self._at_bars else -1), max(high, 1)
        end = 10.0 ** (low + (high - low) / (1 - self._room))
        if axis.end != end or axis.start != 10.0**low:
            axis.update(start=10.0**low, end=end)
            labels = (
                TICKS * (1 - self._room) / (2 if self._at_bars and not self._above else 1)
            )  # beside a border, a phone has half the room
            step = math.ceil((high - low) / max(labels, 2))
            first = low if self._sizes else math.ceil(low / step) * step  # ratios: bars start at 1, which gets a tick
            named = {10.0**power: tick(power) for power in range(first, high + 1, step)}
            unnamed = {10.0**power: " " for power in range(low, high + 1)} if self._at_bars else {}
            named_ticks(self.figure.xaxis, dict(sorted((unnamed | named).items())))
        return 10.0**low if self._sizes else 1.0, end
