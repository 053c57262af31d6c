"""Two slopes along an arc of inputs, one above the other, and the similarity of gradients by the angle between
inputs."""

from bokeh.models import LayoutDOM

from app.pictures.base.direct import LOOKS, Words
from app.pictures.base.figures import empty, paint, plot, ticks_at
from app.pictures.base.pairs import pair
from app.pictures.base.questions import drawn_here, known
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.gradients.shattering import NEAR, Shattering

LEVELS = {"plain": 4.0, "residual": -4.8}
"""Height of the zero line of each curve, in root mean squares"""

TOP = 9.6


class ShatteringView(View[Shattering]):
    """Plain dashed, residual solid; along the arc both are solid, since dashes would look like noise."""

    def draw(self) -> list[LayoutDOM]:
        along = plot(
            "Slope as the input moves", "position of the input (degrees)", "", x_range=(0, 90), y_range=(-TOP, TOP)
        )
        alike = plot(
            "How alike are two gradients?",
            "degrees between their inputs",
            "mean cosine",
            x_range=(0, 62),
            y_range=(-0.1, 1.08),
        )
        along.yaxis.visible = False
        along.ygrid.visible = False
        ticks_at(along.xaxis, [0, 30, 60, 90])
        ticks_at(alike.xaxis, [0, NEAR, 20, 30, 45])
        ticks_at(alike.yaxis, [0, 0.25, 0.5, 0.75, 1])
        self._slopes, self._likeness = empty("x", *LEVELS), empty("x", *LEVELS)
        near = alike.line([NEAR, NEAR], [-0.1, 1.0], line_dash="dotted", line_width=1.5)
        paint(near, line_color="idle")
        known(alike, near)
        for name, (color, dash) in LOOKS.items():
            zero = along.line([0, 90], [LEVELS[name]] * 2, line_width=1)
            words = along.text(
                [1], [LEVELS[name] + 4.9], [f"{name} network"], text_font_size="13px", text_baseline="middle"
            )
            paint(zero, line_color="rule")
            paint(words, text_color=color)
            known(along, zero, words)
            paint(along.line("x", name, source=self._slopes, line_width=1.8), line_color=color)
            line = alike.line("x", name, source=self._likeness, line_width=2.8, line_dash=dash)
            paint(line, line_color=color)
        drawn_here(alike)
        self._names = Words(alike, {name: name for name in LEVELS}, 0.08)
        pair((along, alike))
        return [along, alike]

    def update(self, frame: Frame) -> None:
        slopes = {name: frame[f"{name}_slope"] + level for name, level in LEVELS.items()}
        alike = {name: frame[f"{name}_likeness"] for name in LEVELS}
        self._slopes.data = {"x": frame["angle"], **slopes}
        self._likeness.data = {"x": frame["apart"], **alike}
        end = float(frame["apart"][-1])
        self._names.show({name: (end, float(values[-1]), name) for name, values in alike.items()})
