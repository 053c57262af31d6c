"""One network halfway along one direction, for every rescaling; below it the whole direction, raw and
filter-normalized, with gray lines for the network before rescaling. Next to each, a map of the network's answers."""

import math

import numpy as np
from bokeh.models import InlineStyleSheet, LayoutDOM
from bokeh.plotting import figure

from app.pictures.base.end_labels import PATCH, EndLabels
from app.pictures.base.figures import POWERS, empty, fit, named_ticks, paint, plot, ticks_at
from app.pictures.base.questions import drawn_here, known
from app.pictures.maps.answer_map import AROUND, AnswerMap
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.own_points import REACH
from sims.contract.wording import number
from sims.simulations.loss_surfaces.rescale_trap import ALONG, FACTORS, HALF, RescaleTrap

TITLES = {"raw": "Raw direction", "normalized": "Filter-normalized direction"}
LINES = {"before": ("soft", 1), "now": ("plain", -1)}
"""Line → the color of its label, and the side of the label where "now" is the higher line: 1 is below, -1 above"""

ASIDE, AWAY = 9, 15
"""Pixels from a place to a label that starts below it to the right, or ends above it: lines rise to the right"""

ROOM = 4
"""Factor by which the axis extends beyond all losses, so that labels have room there"""

BESIDE = 84
"""Pixels right of the losses halfway, for their names"""

MAPS = {
    "before": "Answers before\nthe move",
    "raw": "Halfway,\nraw",
    "normalized": "Halfway,\nnormalized",
}
"""Weights → title of the map of their answers"""

HEIGHT, LOW = 224, 180
"""Height of every figure in pixels, and on a phone of the lines along a direction"""

SIZES = f"""
:host {{ --map: {HEIGHT - AROUND}px; --gap: 12px; --rest: calc(var(--map) + var(--gap)); }}
:host {{ --third: calc((100cqw - 12px) / 3); }}
@container (min-width: 1100px) {{ :host {{ --map: 15cqw; --gap: 24px; }} }}
"""
"""Width of a map, its gap to the lines, and what both take from these; on a phone, three maps share the width"""

LAYOUT = {
    "over": ("", "grid-row: 1; width: calc(100% - var(--rest))", ""),
    "map before": ("justify-self: start", "grid-row: 1; justify-self: end", ""),
    "raw": (
        f"height: {LOW}px !important",
        "grid-row: 2; width: calc(100% - var(--rest))",
        "width: calc(50% - var(--rest) - var(--gap) / 2)",
    ),
    "map raw": (
        "justify-self: center",
        "grid-row: 2; justify-self: end",
        "justify-self: start; margin-left: calc(50% - var(--map) - var(--gap) / 2)",
    ),
    "normalized": (
        f"height: {LOW}px !important",
        "grid-row: 3; width: calc(100% - var(--rest))",
        "grid-row: 2; width: calc(50% - var(--rest) - var(--gap) / 2); margin-left: calc(50% + var(--gap) / 2)",
    ),
    "map normalized": ("justify-self: end", "grid-row: 3; justify-self: end", "grid-row: 2"),
}
"""Figure, in reading order → its place on a phone, on a tablet, and what is different on a wider screen. A tablet has
the lines above each other, each with its map to the right; a wider screen has both directions side by side"""

LOOKS = {"raw": ("plain", "solid"), "normalized": ("third", "dashed")}
"""Direction → color and dash of its losses halfway"""

MOST = 30
"""End of the axis of losses halfway, if none is larger: it has room for other answers"""

SAME = 1e-6
"""Relative difference up to which two losses count as equal."""


class RescaleTrapView(View[RescaleTrap]):
    """The losses halfway, over two figures on one scale with the whole direction."""

    def draw(self) -> list[LayoutDOM]:
        over = self._over = plot(
            "Loss halfway, for every c",
            "c",
            "loss (nats)",
            height=HEIGHT,
            x_axis_type="log",
            x_range=(0.09, 11.2),
            y_range=(-1.2, MOST),
        )
        ticks_at(over.yaxis, range(0, MOST + 1, 10))
        named_ticks(over.xaxis, {factor: number(factor, 6) for factor in FACTORS})
        self._halfway, self._chosen = empty("x", *LOOKS), empty("x", *LOOKS)
        for name, (color, dash) in LOOKS.items():
            paint(over.line("x", name, source=self._halfway, line_width=2.6, line_dash=dash), line_color=color)
            paint(over.scatter("x", name, source=self._chosen, size=10), fill_color=color, line_color=color)
        self._names = EndLabels(over, {name: color for name, (color, _) in LOOKS.items()}, BESIDE)
        drawn_here(over)
        self._figures, self._sources, self._words = {}, {}, {}
        self._maps = {weights: AnswerMap(title, HEIGHT) for weights, title in MAPS.items()}
        for kind, title in TITLES.items():
            chart = self._figures[kind] = plot(
                title, "place along the direction", "loss (nats)", height=HEIGHT, x_range=(-1, 1), **POWERS
            )
            source = self._sources[kind] = empty("x", "before", "now")
            before = chart.line("x", "before", source=source, line_width=7)
            now = chart.line("x", "now", source=source, line_width=2.6)
            paint(before, line_color="rule")
            paint(now, line_color="plain")
            for line, (color, _away) in LINES.items():
                labels = self._words[kind, line] = empty("x", "y", "text", "align", "aside", "away")
                dot = chart.scatter("x", "y", source=labels, size=8)
                words = chart.text(
                    *("x", "y", "text"),
                    source=labels,
                    text_font_size="13px",
                    text_align="align",
                    text_baseline="middle",
                    x_offset="aside",
                    y_offset="away",
                    level="overlay",
                    **PATCH,
                )
                paint(dot, fill_color=color, line_color=color)
                paint(words, text_color=color, background_fill_color="panel")
            chart.min_border_right = 48
            known(chart, before, self._words[kind, "before"])
        for weights, answers in self._maps.items():
            if weights == "before":
                known(answers.figure)
            else:
                known(answers.figure, answers.box, *answers.points)
        placed = {
            "over": over,
            **self._figures,
            **{f"map {name}": answers.figure for name, answers in self._maps.items()},
        }
        for name, chart in placed.items():
            _place(chart, name)
        return [placed[name] for name in LAYOUT]

    def update(self, frame: Frame) -> None:
        halfway = {name: frame[f"{name}_halfway"] for name in LOOKS}
        self._halfway.data = {"x": frame["factors"], **halfway}
        self._chosen.data = {"x": [self.simulation.factor], **{name: [frame.results[name]] for name in LOOKS}}
        self._over.y_range.update(end=max(MOST, 1.1 * max(float(losses.max()) for losses in halfway.values())))
        self._names.show(
            float(frame["factors"][-1]), {name: (float(losses[-1]), name) for name, losses in halfway.items()}
        )
        for weights, note in self._notes().items():
            self._maps[weights].show(frame[f"{weights}_answers"], frame["points"], frame["classes"], REACH, note)
        everything = [frame[kind + ending] for kind in TITLES for ending in ("", "_before")]
        everything.append(np.array([ROOM * max(float(curve.max()) for curve in everything)]))
        for kind, source in self._sources.items():
            lines = {"before": frame[f"{kind}_before"], "now": frame[kind]}
            source.data = {"x": frame["along"], **lines}
            fit(self._figures[kind], everything)
            at = {line: float(curve[HALF]) for line, curve in lines.items()}
            same = math.isclose(at["before"], at["now"], rel_tol=SAME)
            factor = number(self.simulation.factor, 6)
            texts = {
                "before": "" if same else f"c = 1: {number(at['before'])}",
                "now": f"c = {factor}: {number(at['now'])}",
            }
            if same and self.simulation.factor != 1:
                texts["now"] = f"still {number(at['now'])}"
            higher = 1 if at["now"] >= at["before"] else -1
            for line, (_color, under) in LINES.items():
                below = 1 if same else under * higher
                self._words[kind, line].data = {
                    "x": [float(ALONG[HALF])],
                    "y": [at[line]],
                    "text": [texts[line]],
                    "align": ["left" if below > 0 else "right"],
                    "aside": [ASIDE if below > 0 else 0],
                    "away": [AWAY * below],
                }

    def _notes(self) -> dict[str, str]:
        """What is said below each map: whose answers these are."""
        same = "same for every c"
        return {"before": same, "raw": f"c = {number(self.simulation.factor, 6)}", "normalized": same}


def _place(chart: figure, name: str) -> None:
    """Give a figure its place among the others, on every screen."""
    phone, tablet, wide = LAYOUT[name]
    if name.startswith("map"):
        phone += f"; grid-row: 4; width: var(--third); height: calc(var(--third) + {AROUND}px) !important"
        tablet += "; width: var(--map)"
    rules = {"max-width: 439.9px": phone, "min-width: 440px": tablet, "min-width: 740px": wide}
    css = SIZES + "".join(f"@container ({screen}) {{ :host {{ {rule} }} }}\n" for screen, rule in rules.items())
    chart.update(frame_align=False, styles={"grid-column": "1 / -1"}, stylesheets=[InlineStyleSheet(css=css)])
