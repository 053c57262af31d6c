"""A picture of a network: its stream, its layers, an arc for every skip, and a mark for the size of each gradient."""

import numpy as np
from bokeh.models import ColumnDataSource, LayoutDOM, Scatter

from app.pictures.base.figures import empty, hover, paint, plot, quiet_legend
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.instruments.gradients.gradient_health import KINDS, LEVEL, STRONG, WEAK, ZERO, middle

MARKS = {
    LEVEL: ("level", "circle", "healthy"),
    WEAK: ("weaker", "inverted_triangle", "idle"),
    STRONG: ("stronger", "triangle", "failing"),
    ZERO: ("exactly 0", "x", "zero"),
}
"""Kind of gradient → its label, its mark and its color."""

STREAM, LAYERS, BELOW = 1.0, 0.0, -9.0
"""Heights of the two rows, and a height outside the picture for hidden things."""

LARGEST, SMALLEST, ROOM = 13, 4, 300
"""Largest and smallest mark in pixels, and the pixels that the marks of a row share."""

NORM_AT = {"batch": 0.72, "layer": 0.72, "pre-layer": 0.28}
"""Position of the norm along the branch, 0 to 1; Post-LN has it on the stream."""


class NetworkDiagram:
    """The figure, created once; `show` moves its data."""

    def __init__(self, title: str) -> None:
        self.figure = plot(title, "layer, from input to output", "", height=205, x_range=(0, 1), y_range=(-0.4, 1.8))
        self.figure.yaxis.visible = False
        self.figure.ygrid.visible = False
        self._wires, self._arcs = empty("x0", "y0", "x1", "y1"), empty("x0", "x1", "cx", "cy")
        self._branches, self._norms = empty("x0", "y0", "x1", "y1"), empty("x", "y")
        wire, branch = (
            self.figure.segment("x0", "y0", "x1", "y1", source=source, line_width=1.2)
            for source in (self._wires, self._branches)
        )
        paint(wire, line_color="edge")
        paint(branch, line_color="edge")
        self._branch = branch.glyph
        arc = self.figure.quadratic("x0", STREAM, "x1", STREAM, "cx", "cy", source=self._arcs, line_width=2.2)
        paint(arc, line_color="residual")
        self._arc = arc.glyph
        bar = self.figure.scatter("x", "y", source=self._norms, marker="square", size=5, line_color=None)
        paint(bar, fill_color="ink")
        self._norm_bar = bar.glyph
        self._marks: dict[str, ColumnDataSource] = {}
        self._sizes: list[Scatter] = []
        marks = []
        for kind in KINDS:
            words, marker, color = MARKS[kind]
            source = self._marks[kind] = empty("x", "y", "what", "norm", "against")
            mark = self.figure.scatter("x", "y", source=source, marker=marker, size=LARGEST)
            # A legend shows the first row of a source, and nothing for an empty one, so it has its own source.
            sample = self.figure.scatter([0], [BELOW], marker=marker, size=10, legend_label=words)
            for renderer in (mark, sample):
                paint(renderer, fill_color=color, line_color="paper" if marker != "x" else color)
                renderer.glyph.line_width = 1 if marker != "x" else 2
            marks.append(mark)
            self._sizes.append(mark.glyph)
        hover(
            self.figure,
            [("", "@what"), ("gradient", "@norm"), ("against the median", "@against")],
            renderers=marks,
        )
        quiet_legend(self.figure, columns=4)
        self._shape: object = None

    @property
    def layout(self) -> LayoutDOM:
        return self.figure

    def show(self, frame: Frame, name: str, moment: int) -> None:
        """Show one network of a frame at one moment."""
        weights, stream = frame[f"{name}_weight_gradients"][moment], frame[f"{name}_stream_gradients"][moment]
        skip, norm = str(frame.results[f"{name}_skip"]), str(frame.results[f"{name}_norm"])
        per_block = int(frame.results[f"{name}_layers_per_block"])
        shape = (len(weights), len(stream), per_block, skip, norm)
        if shape != self._shape:
            self._shape = shape
            self._draw(*shape)
        layers, nodes = places(len(weights), per_block)
        kinds = np.concatenate(
            [frame[f"{name}_weight_gradients_health"][moment], frame[f"{name}_stream_gradients_health"][moment]]
        )
        rms = frame[f"{name}_activations"][moment]
        texts = [
            *(f"layer {i + 1} of {len(weights)}, its weights" for i in range(len(weights))),
            *(
                f"stream after {f'block {i}' if i else 'the stem'} (root mean square {number(size)})"
                for i, size in enumerate(rms)
            ),
        ]
        columns = {
            "x": np.concatenate([layers, nodes]),
            "y": np.repeat([LAYERS, STREAM], [len(layers), len(nodes)]),
            "what": np.array(texts),
            "norm": np.array([number(weight) for weight in (*weights, *stream)]),
            "against": np.array(
                [f"× {number(weight, 2)}" for weight in (*(weights / middle(weights)), *(stream / middle(stream)))]
            ),
        }
        for kind, source in self._marks.items():
            source.data = {key: values[kinds == kind] for key, values in columns.items()}

    def _draw(self, depth: int, streams: int, per_block: int, skip: str, norm: str) -> None:
        """Draw everything that depends only on the architecture."""
        layers, nodes = places(depth, per_block)
        self.figure.x_range.update(start=0.2, end=depth + 0.8)
        for glyph in self._sizes:
            glyph.size = max(SMALLEST, min(LARGEST, ROOM / depth))
        self._norm_bar.size = max(2, min(5, ROOM / depth / 2))
        blocks = streams - 1
        firsts, lasts = layers[1:-1:per_block], layers[per_block:-1:per_block]
        down = (nodes[:-1], np.full(blocks, STREAM), firsts, np.full(blocks, LAYERS))
        up = (lasts, np.full(blocks, LAYERS), nodes[1:], np.full(blocks, STREAM))
        ends = ([layers[0], nodes[-1]], [LAYERS, STREAM], [nodes[0], layers[-1]], [STREAM, LAYERS])
        inner = (firsts, np.full(blocks, LAYERS), lasts, np.full(blocks, LAYERS))
        names = ("x0", "y0", "x1", "y1")
        self._wires.data = dict(zip(names, (np.array(end) for end in ends), strict=True))
        self._branches.data = {
            key: np.concatenate(parts) for key, parts in zip(names, zip(down, inner, up, strict=True), strict=True)
        }
        self._branch.line_dash = "dotted" if skip == "rezero" else "solid"
        self._arc.line_dash = "dashed" if skip == "highway" else "solid"
        left, right = nodes[:-1], nodes[1:] if skip != "dense" else np.full(blocks, nodes[-1])
        if skip == "none":
            left = right = np.empty(0)
        self._arc.line_width = 2.2 if blocks <= 24 else 1.3
        longest = max(per_block, depth if skip == "dense" else 0)
        height = 1.3 * np.sqrt((right - left) / longest) if len(left) else np.empty(0)
        self._arcs.data = {"x0": left, "x1": right, "cx": (left + right) / 2, "cy": STREAM + height}
        self._norms.data = dict(zip("xy", _norms(norm, layers, nodes, per_block), strict=True))


def places(depth: int, per_block: int) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the layers, and the positions on the stream between them."""
    return 1.0 + np.arange(depth), 1.5 + np.arange(0, depth - 1, per_block)


def _norms(norm: str, layers: np.ndarray, nodes: np.ndarray, per_block: int) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the norms: columns and heights."""
    if norm == "post-layer":
        return nodes[1:], np.full(len(nodes) - 1, STREAM - 0.22)
    if norm not in NORM_AT:
        return np.empty(0), np.empty(0)
    way = NORM_AT[norm]
    if norm == "pre-layer":
        firsts = layers[1:-1:per_block]
        return nodes[:-1] + way * (firsts - nodes[:-1]), np.full(len(firsts), STREAM - way)
    inside = layers[:-1]
    return inside + 0.5 * (1 - way), np.full(len(inside), LAYERS + (1 - way))
