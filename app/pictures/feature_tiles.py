"""What can be fed to a network, as a row of small maps; those that are fed stand out, and a touch changes that."""

from bisect import bisect_right
from collections.abc import Callable, Collection
from itertools import accumulate
from typing import Any

import numpy as np
from bokeh.events import Tap
from bokeh.models import Image, LinearColorMapper

from app.pictures.figures import empty, paint, plot
from app.pictures.network_maps import unit_palette
from sims.data.input_features import LABELS

NARROW, WIDE = 1.15, 1.55
"""Room for a tile, whose side is 1, with a short name and with a long one, of more letters than SHORT"""

SHORT = 4

NAME, FOOT, EDGE = -0.3, -0.56, 0.06
"""The middle of the name below a tile, the end of the picture, and the room for lines around everything"""

WIDEST, HEIGHT = 340, 82
"""Pixels of the picture, at most and always: its tiles are as good as square from 280 pixels on"""

FAINT = 0.72
"""Opacity of what lies over a tile that is not fed"""


class FeatureTiles:
    """The figure, drawn once; `show` moves its data. `touched(name)` is called with the function a reader clicks on."""

    def __init__(self, title: str, touched: Callable[[str], None]) -> None:
        names = list(LABELS)
        rooms = [WIDE if len(label) > SHORT else NARROW for label in LABELS.values()]
        ends = list(accumulate(rooms))
        self._middles = [end - room / 2 for end, room in zip(ends, rooms, strict=True)]
        first = self._middles[0] - 0.5
        self.figure = plot(
            title,
            "",
            "",
            x_range=(first - EDGE, ends[-1] + EDGE),
            y_range=(FOOT, 1 + EDGE),
            height=HEIGHT,
            max_width=WIDEST,
            min_border=0,
        )
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        colors = unit_palette()
        mapper = LinearColorMapper(palette=colors, low=-0.5, high=len(colors) - 0.5)
        self._maps = empty("image", "x")
        self.figure.add_glyph(self._maps, Image(image="image", x="x", y=0, dw=1, dh=1, color_mapper=mapper))
        self._rest = empty("left", "right")
        over = self.figure.quad("left", "right", 1, 0, source=self._rest, fill_alpha=FAINT, line_width=1)
        paint(over, fill_color="panel", line_color="rule")
        self._fed = empty("left", "right")
        frame = self.figure.quad("left", "right", 1, 0, source=self._fed, fill_color=None, line_width=2.5)
        paint(frame, line_color="ink")
        self._names = {fed: empty("x", "text") for fed in (True, False)}
        for fed, source in self._names.items():
            text = self.figure.text(
                "x",
                NAME,
                "text",
                source=source,
                text_align="center",
                text_baseline="middle",
                text_font_size="13px",
                text_font_style="bold" if fed else "normal",
            )
            paint(text, text_color="ink" if fed else "soft")

        def clicked(event: Any) -> None:
            if isinstance(event.x, float | int) and 0 <= event.x < ends[-1]:
                touched(names[bisect_right(ends, event.x)])

        self.figure.on_event(Tap, clicked)

    def show(self, maps: np.ndarray, fed: Collection[str]) -> None:
        """Move the data: bytes (functions, side, side) of every function, and the names of those that are fed."""
        self._maps.data = {"image": list(maps), "x": [middle - 0.5 for middle in self._middles]}
        tiles = list(zip(LABELS.items(), self._middles, strict=True))
        for is_fed, quads in ((True, self._fed), (False, self._rest)):
            mine = [(label, middle) for (name, label), middle in tiles if (name in fed) == is_fed]
            middles = [middle for _label, middle in mine]
            quads.data = {"left": [each - 0.5 for each in middles], "right": [each + 0.5 for each in middles]}
            self._names[is_fed].data = {"x": middles, "text": [label for label, _middle in mine]}
