"""The possible input features of a network as two rows of small maps; selected ones stand out, and a click toggles
one."""

from collections.abc import Callable, Collection

import numpy as np
from bokeh.events import Tap
from bokeh.models import Image, LinearColorMapper

from app.pictures.base.figures import empty, paint, plot, tint, words
from app.pictures.maps.network_maps import unit_palette
from sims.data.input_features import LABELS

PER_ROW = 4

ROOM, PITCH = 1.16, 1.42
"""Distances from a tile, whose side is 1, to the next one in its row, and to the one below it, with the name between"""

NAME, EDGE = -0.2, 0.06
"""Center of the name below a tile, and the margin for lines around everything"""

WIDEST, HEIGHT = 340, 214
"""Maximum width and fixed height of the picture in pixels: tiles are large enough for a finger, and almost square"""

FAINT = 0.4
"""Opacity of the cover over a tile that is not selected"""

SHADE = 0.5
"""Exponent of the opacity of a value: squares and products are small almost everywhere, and would be black"""


class FeatureTiles:
    """The figure, created once; `show` moves its data. `touched(name)` is called with the function that a reader
    clicks."""

    def __init__(self, title: str, touched: Callable[[str], None]) -> None:
        names = list(LABELS)
        self._corners = [(at % PER_ROW * ROOM, -(at // PER_ROW) * PITCH) for at in range(len(names))]
        foot = self._corners[-1][1] - PITCH + 1
        self.figure = plot(
            title,
            "",
            "",
            x_range=(-EDGE, (PER_ROW - 1) * ROOM + 1 + EDGE),
            y_range=(foot, 1 + EDGE),
            height=HEIGHT,
            max_width=WIDEST,
            min_border=0,
        )
        self.figure.update(frame_align=False)
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        colors = unit_palette(SHADE)
        mapper = LinearColorMapper(palette=colors, low=-0.5, high=len(colors) - 0.5)
        tint(mapper, "above", "below")
        centers = np.array(self._corners) + 0.5
        ground = self.figure.rect(x=centers[:, 0], y=centers[:, 1], width=1, height=1, line_color=None)
        paint(ground, fill_color="wash")
        self._maps = empty("image", "x", "y")
        self.figure.add_glyph(self._maps, Image(image="image", x="x", y="y", dw=1, dh=1, color_mapper=mapper))
        box = ("left", "right", "bottom", "top")
        self._rest, self._fed = empty(*box), empty(*box)
        over = self.figure.quad(*box, source=self._rest, fill_alpha=FAINT, line_width=1)
        paint(over, fill_color="panel", line_color="rule")
        frame = self.figure.quad(*box, source=self._fed, fill_color=None, line_width=2.5)
        paint(frame, line_color="ink")
        self._names = {fed: empty("x", "y", "text") for fed in (True, False)}
        for fed, source in self._names.items():
            words(self.figure, source, "ink" if fed else "soft", text_font_style="bold" if fed else "normal")

        def clicked(event: object) -> None:
            x, y = getattr(event, "x", None), getattr(event, "y", None)
            if not (isinstance(x, float | int) and isinstance(y, float | int)):
                return
            for name, (left, low) in zip(names, self._corners, strict=True):
                if 0 <= x - left < ROOM and 1 - PITCH <= y - low <= 1:
                    touched(name)

        self.figure.on_event(Tap, clicked)

    def show(self, maps: np.ndarray, fed: Collection[str]) -> None:
        """Move the data: bytes (functions, side, side) of every function, and the names of the selected ones."""
        x, y = ([corner[axis] for corner in self._corners] for axis in (0, 1))
        self._maps.data = {"image": list(maps), "x": x, "y": y}
        tiles = list(zip(LABELS.items(), self._corners, strict=True))
        for is_fed, quads in ((True, self._fed), (False, self._rest)):
            mine = [(label, *corner) for (name, label), corner in tiles if (name in fed) == is_fed]
            quads.data = {
                "left": [left for _label, left, _low in mine],
                "right": [left + 1 for _label, left, _low in mine],
                "bottom": [low for *_others, low in mine],
                "top": [low + 1 for *_others, low in mine],
            }
            self._names[is_fed].data = {
                "x": [left + 0.5 for _label, left, _low in mine],
                "y": [low + NAME for *_others, low in mine],
                "text": [label for label, _left, _low in mine],
            }
