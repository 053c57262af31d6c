"""Two surfaces with the optimizer's path above and a ball on them; as measures, maps, losses and bars."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, STEPS, empty, fit, paint, plot, quiet_legend
from app.pictures.charts.lanes import Lanes
from app.pictures.maps.slices import FLOOR, SliceMap, limits
from app.pictures.maps.surface import Surface, SurfaceData
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.loss_surfaces.ball import Ball

NAMES = ("plain", "residual")
WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}
LANES = {
    "plain, own plane": ("plain", "explained", "plain"),
    "residual, own plane": ("residual", "explained", "residual"),
    "plain, random": ("plain", "random", "plain"),
    "residual, random": ("residual", "random", "residual"),
}


class BallView(View[Ball]):
    """Plain on the left, residual on the right."""

    def draw(self) -> list[LayoutDOM]:
        self._surface = Surface(
            "The optimizer's path, and a ball on the surface",
            {name: (name, name) for name in NAMES},
            axes=("direction a", "direction b"),
        )
        self._surface.model.styles = dict(WHOLE_WIDTH)
        return [self._surface.model]

    def measures(self) -> list[LayoutDOM]:
        self._maps = {
            name: SliceMap(f"{name.capitalize()}, from above", "direction a", "direction b") for name in NAMES
        }
        maps = [slice_map.figure for slice_map in self._maps.values()]
        self._losses = plot("True loss, and loss on the surface", "training step", "loss (nats)", **STEPS, **POWERS)
        self._ways = {name: empty("x", "true", "below") for name in NAMES}
        for name, source in self._ways.items():
            for column, words, dash in (("true", "true", "solid"), ("below", "on the surface", "dotted")):
                label = f"{name}: {words}"
                line = self._losses.line("x", column, source=source, line_width=2, line_dash=dash, legend_label=label)
                paint(line, line_color=name)
        quiet_legend(self._losses)
        self._seen = Lanes("How much of the path a plane shows", "share of its length", {name: name for name in NAMES})
        for wide in (self._losses, self._seen.figure):
            wide.styles = dict(WHOLE_WIDTH)
        return [*maps, self._losses, self._seen.figure]

    def update(self, frame: Frame) -> None:
        log = self.simulation.scale == "log"
        side = frame["side"]
        pictures = {name: frame[f"{name}_picture"] for name in NAMES}
        bounds = limits(list(pictures.values()), log)
        heights, tracks, balls = {}, {}, {}
        losses: list[np.ndarray] = []
        for name in NAMES:
            self._maps[name].show(pictures[name], 1.0, bounds, log)
            track, ball = frame[f"{name}_track"], frame[f"{name}_ball"]
            self._maps[name].trace("track", track)
            self._maps[name].trace("ball", ball[:, :2])
            floor = FLOOR if log else 0.0
            heights[name] = np.maximum(frame[f"{name}_losses"], floor)
            tracks[name] = np.column_stack([track, np.maximum(frame[f"{name}_true"], floor)])
            if len(ball):
                balls[name] = np.column_stack([ball[:, :2], np.maximum(ball[:, 2], floor)])
            true, below = (np.maximum(frame[f"{name}_{kind}"], FLOOR) for kind in ("true", "below"))
            self._ways[name].data = {"x": frame["steps"], "true": true, "below": below}
            losses += [true, below]
        fit(self._losses, losses)
        self._losses.x_range.update(end=self.simulation.training_steps)
        sentence = self.simulation.describe(frame)
        self._surface.show(
            SurfaceData(
                *(side, side, heights, sentence, log),
                tracks=tracks,
                balls=balls,
                notes={name: _note(frame, name) for name in NAMES},
                words=self._words(frame),
            )
        )
        values = np.array(
            [
                float(frame.results[f"{name}_{quantity}"]) ** (0.5 if quantity == "explained" else 1)
                for name, quantity, _color in LANES.values()
            ]
        )
        if frame.results["phase"] == "start":
            values = np.full(len(LANES), np.nan)
        texts = [f"{number(100 * value)}%" if np.isfinite(value) else "not trained yet" for value in values]
        self._seen.show(list(LANES), values, texts, [color for _name, _what, color in LANES.values()], longest=1.0)

    def _words(self, frame: Frame) -> str:
        """What is being computed, in words."""
        size, finest = f"{frame.results['grid']} × {frame.results['grid']}", self.simulation.finest
        match frame.results["phase"]:
            case "start":
                return f"not begun: a random plane, {size} points"
            case "training":
                return f"training, step {number(frame.step)} of {number(self.simulation.training_steps)}"
            case "surface":
                return f"computing the surface: {size} points so far, of {finest} × {finest}"
            case "rolling":
                return f"{size} points; the balls are rolling"
        return f"{size} points; the balls have rolled {len(frame['plain_ball']) - 1} steps"


def _note(frame: Frame, name: str) -> str:
    """Words on how far above the surface the path starts."""
    if frame.results["phase"] == "start":
        return ""
    true, below = (number(float(frame.results[f"{name}_{kind}_start"]), 2) for kind in ("true", "below"))
    return f"the path begins at {true}, above {below}"
