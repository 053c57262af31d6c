"""Up to two networks side by side, each with a strip of one cell per layer, and a map of its answers.

When the reader looks into a layer, its units replace the answers, each with its own small map. The first few units of
every layer are sent besides, so that `app/static/players/layer-glance.js` can show the layer under the pointer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import Image, LinearColorMapper

from app.pictures.base.figures import empty, paint, plot, tint, words
from app.pictures.base.questions import known
from app.pictures.base.theme import LIGHT
from sims.contract.wording import number
from sims.instruments.gradients.gradient_health import LEVEL, STRONG, WEAK, ZERO
from sims.instruments.networks.decision_map import LEVELS, NOTHING
from sims.instruments.networks.unit_maps import BROKEN, REST

HUES = (
    LIGHT["above"],
    LIGHT["below"],
    "#2b9168",
    "#6d7c8d",
    "#c1527a",
    "#4a80c4",
    "#b9692c",
    "#5b9a2e",
    "#3a9ca6",
    "#7a5c46",
)
"""One color per class: of medium brightness, so that at low opacity they work on a light and on a dark page."""

FAINTEST, STRONGEST = 0.08, 0.66
"""Opacity of the least and of the most confident answer."""

MARKS = (("circle", "fourth"), ("triangle", "fifth"), ("square", "third"), ("diamond", "edge"))
"""Shape and color of a point, by its class."""

APART, TILE_GAP = 0.06, 0.012
"""Gaps between the two maps, and around the map of a unit; a map's side is 1"""

EDGE = 0.006
"""Margin around everything, for the lines at the edges"""

STRIP, TALL, NAME, TOP = 1.025, 0.075, 1.145, 1.19
"""Bottom and height of the strip, the center of the name above it, and the top of the picture"""

WIDEST = 600
"""Maximum width of the picture in pixels"""

CELLS = {LEVEL: ("healthy", 0.7), WEAK: ("idle", 0.35), STRONG: ("failing", 1.0), ZERO: ("zero", 0.1)}
"""Kind of a gradient → its color, and the height of its cell, which shows the same as the color"""

GLANCE, EVERY = 4, 2
"""Number of a layer's units shown under the pointer, and the stride in their maps: as coarse as the small maps of
TensorFlow Playground"""

NAMES = ("plain", "residual", "idle")
"""Colors that the name of a network may have"""


def palette() -> list[str]:
    """A color with opacity for every byte value of a decision map."""
    opacities = np.linspace(FAINTEST, STRONGEST, LEVELS)
    return [f"{hue}{round(255 * opacity):02x}" for hue in HUES for opacity in opacities]


def unit_palette(exponent: float = 1.0) -> list[str]:
    """A color for every byte value of a unit's map: transparent at rest, one hue below it and the other above.

    With an `exponent` below 1, small values are easier to see.
    """
    strengths = (np.arange(256) - REST) / (255 - REST)
    return [
        "#00000000"
        if byte == BROKEN
        else f"{LIGHT['below' if strength < 0 else 'above']}{round(200 * min(abs(strength), 1) ** exponent):02x}"
        for byte, strength in enumerate(strengths)
    ]


def answer_colors() -> LinearColorMapper:
    """A mapper from the bytes of a decision map to its `palette`; other bytes are transparent."""
    return _mapper(palette())


def _mapper(colors: list[str]) -> LinearColorMapper:
    """A mapper with a color for every byte; bytes beyond the last color are transparent."""
    return LinearColorMapper(
        palette=colors, low=-0.5, high=len(colors) - 0.5, high_color="#00000000", nan_color="#00000000"
    )


@dataclass(frozen=True)
class Drawn:
    """One network: its name and color, the kind and size of every layer's gradient, and its map."""

    name: str
    color: str
    kinds: np.ndarray
    gradients: np.ndarray
    answers: np.ndarray
    units: np.ndarray
    """(layers without the last one, units, side, side) bytes of `sims.instruments.networks.unit_maps`"""


class NetworkMaps:
    """The figure, created once; `show` moves its data.

    `tapped(x, y)` is called with the place in the plane, each from -1 to 1, that a reader clicks on a map, and
    `looked(layer)` with the layer, counted from 1, whose cell is clicked.
    """

    def __init__(self, title: str, tapped: Callable[[float, float], None], looked: Callable[[int], None]) -> None:
        wide = 2 + APART
        self.figure = plot(
            title, "", "", x_range=(-EDGE, wide + EDGE), y_range=(-EDGE, TOP), max_width=WIDEST, min_border=0
        )
        self.figure.update(aspect_ratio=(wide + 2 * EDGE) / (TOP + EDGE), frame_align=False)
        heading: Any = self.figure.title
        heading.visible = False
        self.figure.axis.visible = False
        self.figure.grid.visible = False
        self._boxes = empty("left", "right")
        box = self.figure.quad("left", "right", 1, 0, source=self._boxes, fill_color=None, line_width=1)
        paint(box, line_color="rule")
        self._answers, self._units = empty("image", "x", "y", "side"), empty("image", "x", "y", "side")
        answers, units = answer_colors(), _mapper(unit_palette())
        tint(units, "above", "below")
        for source, mapper in ((self._answers, answers), (self._units, units)):
            picture = Image(image="image", x="x", y="y", dw="side", dh="side", color_mapper=mapper)
            self.figure.add_glyph(source, picture)
        self._tiles = empty("left", "right", "bottom", "top")
        tile = self.figure.quad("left", "right", "top", "bottom", source=self._tiles, fill_color=None, line_width=1)
        paint(tile, line_color="rule")
        self._points = {}
        for label, (marker, color) in enumerate(MARKS):
            points = self._points[label] = empty("x", "y")
            scatter = self.figure.scatter("x", "y", source=points, marker=marker, size=6, line_width=0.8)
            paint(scatter, fill_color=color, line_color="paper")
        self._digits = self._text("ink", "center", "11px")
        self._cells = {}
        for kind, (color, _height) in CELLS.items():
            source = self._cells[kind] = empty("left", "right", "bottom", "top")
            cell = self.figure.quad("left", "right", "top", "bottom", source=source, line_width=0.5)
            paint(cell, fill_color=color, line_color="paper")
        self._inside = empty("maps", "gradients", "when")
        tag = {"source": self._inside, "colors": units, "pitch": 1 + APART, "foot": STRIP - EDGE}
        self.figure.tags = [{"inside": tag}]
        self._looked = empty("left", "right")
        frame = self.figure.quad(
            "left", "right", STRIP + TALL + 0.01, STRIP - 0.01, source=self._looked, fill_color=None, line_width=2
        )
        paint(frame, line_color="ink")
        self._names = {color: self._text(color, "left", "13px", "bold") for color in NAMES}
        known(self.figure, self._boxes, self._digits, *self._points.values(), *self._names.values())
        self._notes = self._text("soft", "center", "13px")
        self._layers: list[int] = []
        self._mapped: list[int] = []

        def clicked(event: Any) -> None:
            if not (isinstance(event.x, float | int) and isinstance(event.y, float | int)):
                return
            at, along = divmod(float(event.x), 1 + APART)
            if along > 1 or not (at in self._mapped or at < len(self._layers)):
                return
            if 0 <= event.y <= 1 and at in self._mapped:
                tapped(2 * along - 1, 2 * float(event.y) - 1)
            elif 0 <= event.y <= 1:
                looked(0)
            elif event.y >= STRIP and at < len(self._layers):
                looked(min(int(along * self._layers[int(at)]), self._layers[int(at)] - 1) + 1)

        def dragged(event: Any) -> None:
            if isinstance(event.y, float | int) and event.y >= STRIP:
                clicked(event)

        self.figure.on_event(Tap, clicked)
        for kind_of_event in (PanStart, Pan):
            self.figure.on_event(kind_of_event, dragged)

    def _text(self, color: str, align: str, size: str, style: str = "normal") -> Any:
        source = empty("x", "y", "text")
        words(self.figure, source, color, text_align=align, text_font_size=size, text_font_style=style)
        return source

    def show(
        self,
        networks: Sequence[Drawn],
        points: np.ndarray,
        classes: np.ndarray,
        reach: float,
        *,
        layer: int = 0,
        back: bool = False,
    ) -> None:
        """Move the data: up to two networks, the points (n, 2) with classes (n,) of a square of ±`reach`.

        `layer`, counted from 1, is the layer whose units replace the answers; with 0, or the last layer of a network,
        the answers stay. A network that is alone has its units next to it. `back` means that the answers are from an
        earlier moment; units are always the present ones.
        """
        self._layers = [len(network.kinds) for network in networks]
        alone = len(networks) == 1
        opened = [0 if layer >= len(network.kinds) else layer for network in networks]
        mapped = [at for at, chosen in enumerate(opened) if alone or not chosen]
        self._mapped = mapped if networks else [0]
        lefts = [at * (1 + APART) for at in range(2)]
        boxes = lefts[: 2 if networks else 1]
        self._boxes.data = {"left": boxes, "right": [left + 1 for left in boxes]}
        self._answers.data = {
            "image": [networks[at].answers for at in mapped],
            "x": [lefts[at] for at in mapped],
            "y": [0.0] * len(mapped),
            "side": [1.0] * len(mapped),
        }
        self._show_points(points / (2 * reach) + 0.5, classes, [lefts[at] for at in mapped] if networks else lefts[:1])
        self._show_cells(networks, lefts)
        self._inside.data = {
            "maps": [network.units[:, :GLANCE, ::EVERY, ::EVERY] for network in networks],
            "gradients": [[number(size) for size in network.gradients.tolist()] for network in networks],
            "when": [" now" if back else ""] * len(networks),
        }
        tiles: list[tuple[float, float, float, np.ndarray]] = []
        for at, network in enumerate(networks):
            chosen = opened[at] or (max(len(network.kinds) // 2, 1) if alone else 0)
            if chosen:
                tiles += _tiles(network.units[chosen - 1], lefts[1] if alone else lefts[at])
        self._units.data = {
            "image": [tile for *_place, tile in tiles],
            **{key: [tile[at] for tile in tiles] for at, key in enumerate(("x", "y", "side"))},
        }
        self._tiles.data = {
            "left": [x for x, *_ in tiles],
            "right": [x + side for x, _y, side, _ in tiles],
            "bottom": [y for _x, y, *_ in tiles],
            "top": [y + side for _x, y, side, _ in tiles],
        }
        self._show_names(networks, lefts, opened, " now" if back else "")

    def _show_points(self, places: np.ndarray, classes: np.ndarray, lefts: Sequence[float]) -> None:
        many = bool(classes.max(initial=0) >= len(MARKS))
        x = np.concatenate([places[:, 0] + left for left in lefts] or [np.empty(0)])
        y, kinds = np.tile(places[:, 1], len(lefts)), np.tile(classes, len(lefts))
        for kind, source in self._points.items():
            mine = (kinds == kind) & (not many)
            source.data = {"x": x[mine], "y": y[mine]}
        chosen = slice(None if many else 0)
        self._digits.data = {"x": x[chosen], "y": y[chosen], "text": [str(digit) for digit in kinds[chosen]]}

    def _show_cells(self, networks: Sequence[Drawn], lefts: Sequence[float]) -> None:
        rows: dict[str, list[tuple[float, float, float, float]]] = {kind: [] for kind in CELLS}
        for left, network in zip(lefts, networks, strict=False):
            count = len(network.kinds)
            for at, kind in enumerate(network.kinds.tolist()):
                ends = left + at / count, left + (at + 1) / count, STRIP, STRIP + CELLS[kind][1] * TALL
                rows[kind].append(ends)
        keys = ("left", "right", "bottom", "top")
        for kind, source in self._cells.items():
            source.data = {key: [row[at] for row in rows[kind]] for at, key in enumerate(keys)}

    def _show_names(self, networks: Sequence[Drawn], lefts: Sequence[float], opened: Sequence[int], now: str) -> None:
        titles: dict[str, list[tuple[float, str]]] = {color: [] for color in NAMES}
        frames, notes = [], []
        alone = len(networks) == 1
        for left, network, layer in zip(lefts, networks, opened, strict=False):
            count = len(network.kinds)
            chosen = layer or (max(count // 2, 1) if alone else 0)
            titles[network.color].append(
                (left, f"{network.name}, layer {layer}{now}" if layer and not alone else network.name)
            )
            if alone:
                titles["idle"].append((lefts[1], f"Units of layer {chosen}{now}"))
            if chosen:
                frames.append((left + (chosen - 1) / count, left + chosen / count))
            if (network.answers == NOTHING).all() and (alone or not layer):
                notes.append((left + 0.5, "overflowed"))
        for color, source in self._names.items():
            source.data = {
                "x": [x for x, _ in titles[color]],
                "y": [NAME] * len(titles[color]),
                "text": [text for _, text in titles[color]],
            }
        self._looked.data = {"left": [left for left, _ in frames], "right": [right for _, right in frames]}
        self._notes.data = {"x": [x for x, _ in notes], "y": [0.5] * len(notes), "text": [text for _, text in notes]}


def _tiles(units: np.ndarray, left: float) -> list[tuple[float, float, float, np.ndarray]]:
    """Left and lower edges, side and bytes of every unit's tile in a square of side 1, row by row from the top."""
    columns = int(np.ceil(np.sqrt(len(units))))
    cell = 1 / columns
    return [
        (
            left + at % columns * cell + TILE_GAP,
            1 - (at // columns + 1) * cell + TILE_GAP,
            cell - 2 * TILE_GAP,
            units[at],
        )
        for at in range(len(units))
    ]
