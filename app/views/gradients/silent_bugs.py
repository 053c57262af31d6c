"""Two networks with what their backward passes lose, and their losses over the steps; as a measure, the cosine."""

import math

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.block_strips import GAP, BlockStrip, BlockStrips
from app.pictures.base.direct import Bands
from app.pictures.base.end_labels import EndLabels
from app.pictures.base.figures import empty, paint, plot, words
from app.pictures.base.questions import known
from app.pictures.base.timed import Curve, Journey, Travelers, playable, straight
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.instruments.networks.weighted_passes import angle
from sims.simulations.gradients.silent_bugs import KINDS, SilentBugs, guessing

ROOM = 94
COLORS = {"right": "healthy", "wrong": "failing"}
LOOKS = {"right": ("healthy", "solid"), "wrong": ("failing", "dashed")}

MOST = 2.4
"""End of the axis of the loss, in nats"""

PLACES = {
    "skip-1": ("skip", "attention"),
    "skip-2": ("skip", "MLP"),
    "skips": ("skip", "attention, MLP"),
    "branches": ("branch", "attention, MLP"),
    "average": ("sum", "attention, MLP"),
    "mask": ("box", "attention"),
    "transpose": ("box", "attention"),
}
"""Bug → where it is, and in which branches of a block"""

BRANCHES = ("attention", "MLP")

HEIGHT, AROUND, HEAD, PITCH = 262, 36, 24, 88
"""Heights of the picture, of what is around the plot area, of the heads and of a network, in pixels"""

TOP = HEIGHT - AROUND
WIRE, NAME, BAR = 22, 62, 9
"""Heights of the blocks and of the words in the room of a network, and half the height of the bar, in pixels"""

BOX, ARC = 11, 25
"""Half the height of a branch, and the height of an arc"""

STRIP, COSINE, LOSS = (0.0, 0.58), 0.63, (0.77, 0.985)
"""Ends of the networks, where the arrows begin, and ends of the bars; the picture is 1 wide"""

ARROW = "40px"
"""Size of the sign for an arrow, which turns around its beginning"""

BEAT = 260
"""Milliseconds that the gradient takes from branch to branch"""

DOT, SMALLER, SMALLEST = 12.0, 0.75, 4.0
"""Diameter of the dots that carry the gradient, the factor by which halving one makes it smaller, and the least"""


class SilentBugsView(View[SilentBugs]):
    """Both networks with the bug at its place, the angle of the gradient, and the loss; below, the loss over time."""

    def draw(self) -> list[LayoutDOM]:
        self._loss = plot(
            "Loss, right gradients and wrong ones",
            "training step",
            "loss (nats)",
            height=200,
            x_range=(0, 1),
            y_range=(0, MOST),
        )
        self._loss.styles = {"grid-column": "1 / -1"}
        self._losses = Bands(self._loss, LOOKS)
        guess = self._loss.line([0, 10_000], [guessing()] * 2, line_width=1.4, line_dash="dotted")
        self._ends = EndLabels(self._loss, COLORS | {"guess": "soft"}, ROOM)
        paint(guess, line_color="soft")
        return [self._networks(), self._loss]

    def _networks(self) -> LayoutDOM:
        chart = plot(
            "The backward pass of both networks",
            "",
            "",
            height=HEIGHT,
            x_range=(-0.01, 1),
            y_range=(0, TOP),
            frame_align=False,
            min_border=2,
        )
        chart.styles = {"grid-column": "1 / -1"}
        chart.axis.visible = False
        chart.grid.visible = False
        self._strips = BlockStrips(chart, BOX, ARC)
        self._marks, self._heads = empty("x", "y", "text"), empty("x", "y", "text")
        marks = words(chart, self._marks, "failing", text_font_size="17px", text_font_style="bold")
        heads = words(chart, self._heads, "ink", text_align="left")
        self._tracks, self._signal = empty("y"), Travelers()
        tracks = chart.hbar("y", 2 * BAR, LOSS[1], LOSS[0], source=self._tracks, line_color=None)
        paint(tracks, fill_color="wash")
        signal = chart.scatter("x", "y", size="size", alpha="alpha", source=self._signal.source, level="overlay")
        paint(signal, fill_color="fourth", line_color="panel")
        self._truth, self._arrows, self._bars = empty("x", "y", "text"), {}, {}
        words(chart, self._truth, "soft", text_align="left", text_font_size=ARROW)
        self._spans, self._numbers, self._names = empty("x0", "y0", "x1", "y1"), empty("x", "y", "text"), {}
        for kind, color in COLORS.items():
            self._names[kind] = empty("x", "y", "text")
            words(chart, self._names[kind], color, text_align="left", text_font_style="bold")
            arrow = self._arrows[kind] = empty("x", "y", "text", "angle")
            looks = {"text_align": "left", "text_font_size": ARROW, "text_font_style": "bold", "angle": "angle"}
            words(chart, arrow, color, **looks)
            bar = self._bars[kind] = empty("right", "y")
            paint(chart.hbar("y", 2 * BAR, "right", LOSS[0], source=bar, line_color=None), fill_color=color)
        spans = chart.segment("x0", "y0", "x1", "y1", source=self._spans, line_width=2)
        paint(spans, line_color="ink")
        words(chart, self._numbers, "ink", text_align="left", text_font_style="bold")
        guess, name = empty("x", "y0", "y1"), empty("x", "y", "text")
        place, end = _along(float(guessing())), TOP - 2 * HEAD
        guess.data = {"x": [place], "y0": [0], "y1": [end]}
        name.data = {"x": [place], "y": [end + HEAD / 2], "text": ["guessing"]}
        line = chart.segment("x", "y0", "x", "y1", source=guess, line_width=1.4, line_dash="dotted")
        paint(line, line_color="soft")
        known(chart, marks, heads, tracks, line, words(chart, name, "soft"), *self._names.values())
        self._now = playable(chart, "", 1, [], [], [self._signal], "Play: the gradient travels back", BEAT, again=True)
        return chart

    def measures(self) -> list[LayoutDOM]:
        self._cosine = plot(
            "Does it point where the true gradient does?",
            "training step",
            "cosine",
            height=300,
            x_range=(0, 1),
            y_range=(-0.5, 1.05),
        )
        self._cosines = Bands(self._cosine, LOOKS)
        self._cosine_ends = EndLabels(self._cosine, COLORS, ROOM)
        return [self._cosine]

    def update(self, frame: Frame) -> None:
        self._show_networks(frame)
        steps = frame["steps"]
        for figure in (self._loss, self._cosine):
            figure.x_range.update(end=frame.steps)
        for name, bands, ends in (("loss", self._losses, self._ends), ("cosine", self._cosines, self._cosine_ends)):
            curves = {kind: read(frame, f"{kind}_{name}") for kind in KINDS}
            bands.show(steps, curves)
            texts = {kind: (float(median[-1]), KINDS[kind]) for kind, (median, _low, _high) in curves.items()}
            if name == "loss":
                texts["guess"] = float(guessing()), "guessing"
            ends.show(float(frame.steps), texts)

    def _show_networks(self, frame: Frame) -> None:
        branches = len(BRANCHES) * self.simulation.depth
        where, names = PLACES[self.simulation.bug]
        hit = [place for place in range(1, branches + 1) if BRANCHES[(place - 1) % len(BRANCHES)] in names]
        feet = {kind: PITCH * (len(KINDS) - 1 - row) for row, kind in enumerate(KINDS)}
        strips = {
            kind: BlockStrip(
                *STRIP,
                foot + WIRE,
                branches,
                range(1, branches + 1),
                hit if kind == "wrong" and where == "skip" else (),
            )
            for kind, foot in feet.items()
        }
        self._strips.show(list(strips.values()))
        shift, above = {"skip": (-0.5, ARC), "branch": (GAP - 1, 0), "sum": (0, -BOX), "box": (-0.5, 0)}[where]
        self._marks.data = {
            "x": [strips["wrong"].at(place + shift) for place in hit],
            "y": [strips["wrong"].height + above] * len(hit),
            "text": ["½" if where == "sum" else "×"] * len(hit),
        }
        for kind, foot in feet.items():
            self._names[kind].data = {"x": [STRIP[0]], "y": [foot + NAME], "text": [KINDS[kind]]}
        self._tracks.data = {"y": [foot + WIRE for foot in feet.values()]}
        self._heads.data = {
            "x": [STRIP[0], COSINE, LOSS[0]],
            "y": [TOP - HEAD / 2] * 3,
            "text": ["← the gradient", "cosine", "loss (nats)"],
        }
        self._signal.show(
            _journeys(strips["right"], (), "") + _journeys(strips["wrong"], hit, "" if where == "box" else where)
        )
        self._now.data = {"moment": [branches + 1], "last": [branches + 1]}
        self._show_results(frame, feet)

    def _show_results(self, frame: Frame, feet: dict[str, int]) -> None:
        cosines = {kind: float(frame[f"{kind}_cosine"][-1]) for kind in feet}
        losses = {kind: [float(values[-1]) for values in read(frame, f"{kind}_loss")] for kind in feet}
        self._truth.data = {
            "x": [COSINE] * len(feet),
            "y": [foot + WIRE - BOX for foot in feet.values()],
            "text": ["→"] * len(feet),
        }
        texts, spans = [], []
        for kind, foot in feet.items():
            cosine, (median, lowest, highest) = cosines[kind], losses[kind]
            seen, pointing = math.isfinite(median), math.isfinite(cosine)
            self._arrows[kind].data = {
                "x": [COSINE] * pointing,
                "y": [foot + WIRE - BOX] * pointing,
                "text": ["→"] * pointing,
                "angle": [math.radians(angle(cosine))] * pointing,
            }
            self._bars[kind].data = {"right": [_along(median)] * seen, "y": [foot + WIRE] * seen}
            if seen:
                spans.append((_along(lowest), foot + WIRE, _along(highest), foot + WIRE))
            texts.append((COSINE, foot + NAME, number(cosine, 2) if pointing else "–"))
            texts.append((LOSS[0], foot + NAME, number(median, 2) if seen else "overflow"))
        self._numbers.data = {key: [text[at] for text in texts] for at, key in enumerate(("x", "y", "text"))}
        ends = np.array(spans).reshape(-1, 4)
        self._spans.data = {key: ends[:, at] for at, key in enumerate(("x0", "y0", "x1", "y1"))}


def _along(loss: float) -> float:
    """Where a loss is on the axis of the bars, which ends at `MOST`."""
    return LOSS[0] + (LOSS[1] - LOSS[0]) * min(loss, MOST) / MOST


def _journeys(strip: BlockStrip, hit: list[int] | tuple[int, ...], where: str) -> list[Journey]:
    """Dots from the output to the input, through every branch and its skip; a share that is lost ends at its place."""
    steps, size = [], DOT
    for moment, place in enumerate(range(strip.blocks, 0, -1), 1):
        lost = where if place in hit else ""
        if lost == "sum":
            size = max(size * SMALLER, SMALLEST)
        end, start = strip.at(place), strip.at(place - 1)
        inside = straight(end, strip.height, start, strip.height)
        steps.append(Journey(inside, moment, 0, 1 - GAP if lost == "branch" else 1, size))
        steps.append(Journey(_over(strip, start, end), moment, 0, 0.5 if lost == "skip" else 1, size))
    return steps


def _over(strip: BlockStrip, start: float, end: float) -> Curve:
    """The arc of a skip, from its end to its start."""
    peak = strip.height + 4 / 3 * ARC
    return end, strip.height, start, strip.height, end, peak, start, peak
