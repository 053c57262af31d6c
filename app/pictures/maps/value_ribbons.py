"""Models as rows of attention layers, and the values that each layer mixes as ribbons: their width is their weight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.pictures.base.end_labels import END
from app.pictures.base.figures import columns_of, curve, empty, named_ticks, paint, plot, words
from app.pictures.base.questions import known
from sims.contract.wording import number

ROW = 2.4
"""Distance of two rows; the attention of a row is at its height 0"""

LANE, STREAM, NAME = 0.74, -0.62, 1.22
"""Heights of the lane of the first layer's values, of the stream, and of the model's name"""

BOX, TALL = 0.23, 0.4
"""Half the width and half the height of an attention"""

ENTERS = {"first": 0.19, "own": -0.19}
"""Whose values → where they enter an attention"""

COLORS = {"first": "third", "own": "idle"}

WIDTH = 0.34
"""Width of a ribbon with a weight of 1"""

MOST = 2.0
"""Weight from which on ribbons do not get wider"""

LEAVES = {"first": 0.82, "own": 0.66}
"""How far before the middle of a layer its values leave the lane or the stream"""

MEETS = 0.34
"""Where an attention adds its output to the stream, from the middle of its layer"""

HEIGHT, ROOM = 370, 76
"""Height in pixels, and that of the border right of the rows with what is said of each"""

PALE, STRONG = 0.22, 0.75
"""Opacity of the lane and of weights before training, and of the present ones"""


@dataclass(frozen=True)
class Model:
    """A row: its name and the weights of the first layer's values and of their own in all layers after the first."""

    name: str
    weights: Mapping[str, np.ndarray]
    learned: bool
    said: str

    @property
    def reuses(self) -> bool:
        """Whether layers after the first use its values."""
        return self.learned or bool(self.weights["first"].any())


class ValueRibbons:
    """The figure, created once; `show` moves its data. Learned weights and what is said of models are results."""

    def __init__(self, title: str, models: int, start: float) -> None:
        """`start`: the weights with which learned ones begin."""
        self._start, self._models = start, models
        foot = -ROW * (models - 1) + STREAM - 0.25
        self.figure = plot(title, "attention layer", "", height=HEIGHT, x_range=(0, 1), y_range=(foot, NAME + 0.25))
        self.figure.yaxis.visible = False
        self.figure.ygrid.visible = False
        self.figure.xaxis.axis_line_color = None
        self.figure.update(frame_align=False, min_border_right=ROOM, styles={"grid-column": "1 / -1"})
        named_ticks(self.figure.xaxis, {})
        self._wires, self._boxes, self._pluses = empty("xs", "ys"), empty("x", "y"), empty("x", "y")
        self._names = empty("x", "y", "text")
        paint(self.figure.multi_line("xs", "ys", source=self._wires, line_width=1.6), line_color="residual")
        self.lanes = empty("xs", "ys")
        lanes = self.figure.patches("xs", "ys", source=self.lanes, fill_alpha=PALE, line_width=0)
        paint(lanes, fill_color=COLORS["first"], line_color=COLORS["first"])
        self.fixed: dict[str, Any] = {}
        self.begun: dict[str, Any] = {}
        self.learned: dict[str, Any] = {}
        for kind, sources, alpha in (
            ("fixed", self.fixed, STRONG),
            ("begun", self.begun, PALE),
            ("learned", self.learned, STRONG),
        ):
            for whose, color in COLORS.items():
                source = sources[whose] = empty("xs", "ys")
                looks: dict[str, Any] = {"line_dash": "dashed"} if kind == "begun" else {}
                ribbons = self.figure.patches("xs", "ys", source=source, fill_alpha=alpha, line_width=1, **looks)
                paint(ribbons, fill_color=color, line_color=color)
        boxes = self.figure.rect("x", "y", 2 * BOX, 2 * TALL, source=self._boxes, line_width=1.4)
        paint(boxes, fill_color="wash", line_color="edge")
        pluses = self.figure.scatter("x", "y", source=self._pluses, marker="circle_cross", size=11, line_width=1.4)
        paint(pluses, fill_color="panel", line_color="residual")
        words(self.figure, self._names, "ink", text_align="left", text_font_style="bold")
        self.numbers = {kind: {whose: empty("x", "y", "text") for whose in COLORS} for kind in ("fixed", "learned")}
        for sources in self.numbers.values():
            for whose, source in sources.items():
                words(self.figure, source, COLORS[whose], text_font_size="13px", text_font_style="bold")
        self.said = empty("x", "y", "text")
        words(self.figure, self.said, "ink", text_align="left", x_offset=10, level="overlay").tags = [END]
        known(self.figure, *self.numbers["fixed"].values(), *self.fixed.values(), *self.begun.values())
        known(self.figure, self._wires, self._boxes, self._pluses, self._names, self.lanes)

    def show(self, models: Sequence[Model]) -> None:
        """Show a row for each model, the first on top."""
        layers = len(models[0].weights["own"]) + 1
        end = layers + 0.6
        self.figure.x_range.update(start=0.1, end=end)
        named_ticks(self.figure.xaxis, {float(layer): str(layer) for layer in range(1, layers + 1)})
        rows = [(-ROW * row, model) for row, model in enumerate(models)]
        each = [(layer, height) for height, _model in rows for layer in range(1, layers + 1)]
        wires: list[tuple[list[float], list[float]]] = [
            ([0.1, end], [height + STREAM, height + STREAM]) for height, _model in rows
        ]
        wires += [([x, x + MEETS, x + MEETS], [y, y, y + STREAM]) for x, y in each]
        self._wires.data = columns_of(wires, "xs", "ys")
        self._boxes.data = {"x": [x for x, _y in each], "y": [y for _x, y in each]}
        self._pluses.data = {"x": [x + MEETS for x, _y in each], "y": [y + STREAM for _x, y in each]}
        self._names.data = columns_of(((0.14, height + NAME, model.name) for height, model in rows), "x", "y", "text")
        self.said.data = columns_of(((end, height, model.said) for height, model in rows), "x", "y", "text")
        self._show_lanes(rows, layers)
        for whose in COLORS:
            ribbons: dict[str, list[Any]] = {"fixed": [], "begun": [], "learned": []}
            texts: dict[str, list[tuple[float, float, str]]] = {"fixed": [], "learned": []}
            for height, model in rows:
                kind = "learned" if model.learned else "fixed"
                if (whose == "first") == model.reuses:
                    ribbons["fixed"].append(_ribbon(1, height, "own", 1.0))
                    texts["fixed"].append((1.0, height + ENTERS["own"], "1"))
                for layer, weight in enumerate(model.weights[whose].tolist(), 2):
                    if weight or model.learned:
                        ribbons[kind].append(_ribbon(layer, height, whose, weight))
                        texts[kind].append((layer, height + ENTERS[whose], number(weight, 2)))
                    if model.learned:
                        ribbons["begun"].append(_ribbon(layer, height, whose, self._start))
            for kind, sources in (("fixed", self.fixed), ("begun", self.begun), ("learned", self.learned)):
                sources[whose].data = columns_of(ribbons[kind], "xs", "ys")
            for kind, numbers in self.numbers.items():
                numbers[whose].data = columns_of(texts[kind], "x", "y", "text")

    def _show_lanes(self, rows: Sequence[tuple[float, Model]], layers: int) -> None:
        """The lane of a model that uses the first layer's values after the first layer."""
        lanes = []
        for height, model in rows:
            if model.reuses:
                x, y = curve(1 - LEAVES["own"], height + STREAM + WIDTH / 2, 1.0, height + LANE)
                x, y = np.append(x, layers - LEAVES["first"] + 0.06), np.append(y, height + LANE)
                lanes.append(_band(x, y, WIDTH))
        self.lanes.data = columns_of(lanes, "xs", "ys")


def _ribbon(layer: int, height: float, whose: str, weight: float) -> tuple[np.ndarray, np.ndarray]:
    """A ribbon into a layer's attention, as wide as its weight is large: from the upper edge of the lane down, or from
    the stream up."""
    wide = WIDTH * min(abs(weight), MOST)
    begin = LANE + (WIDTH - wide) / 2 if whose == "first" else STREAM + wide / 2
    x, y = curve(layer - LEAVES[whose], height + begin, layer - BOX, height + ENTERS[whose])
    return _band(x, y, wide)


def _band(x: np.ndarray, y: np.ndarray, wide: float) -> tuple[np.ndarray, np.ndarray]:
    """The outline of a ribbon along a line."""
    return np.concatenate([x, x[::-1]]), np.concatenate([y - wide / 2, (y + wide / 2)[::-1]])
