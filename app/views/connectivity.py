"""What every block reads, box by box, and the gradient that comes back along every route."""

import numpy as np
from bokeh.models import LayoutDOM
from bokeh.palettes import Cividis256

from app.pictures.figures import PLACES, POWERS, LogBars, empty, hover, paint, plot
from app.views.base import View
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.connectivity import Connectivity

ROUTES = {
    "branch": ("branch", "plain"),
    "skip": ("skip", "residual"),
    "carry": ("carry", "third"),
    "gate": ("gate", "fourth"),
}
"""Route → its words and color"""


class ConnectivityView(View[Connectivity]):
    """A column per block; then the gradients by route, and the parameters of each block."""

    def draw(self) -> list[LayoutDOM]:
        reads = plot("What each block reads", "block", "features", height=330, x_range=(0.4, 1), y_range=(0, 1))
        self._reads = reads
        self._boxes = empty("left", "right", "bottom", "top", "color", "what", "back")
        boxes = reads.quad(
            left="left",
            right="right",
            bottom="bottom",
            top="top",
            source=self._boxes,
            fill_color="color",
            fill_alpha=0.75,
            line_width=1.5,
        )
        paint(boxes, line_color="paper")
        hover(reads, [("", "@what"), ("gradient sent back", "@back")], renderers=[boxes])
        self._counts = empty("block", "top", "text")
        counts = reads.text(
            "block",
            "top",
            "text",
            source=self._counts,
            text_align="center",
            text_baseline="bottom",
            text_font_size="12px",
            y_offset=-3,
        )
        paint(counts, text_color="ink")
        back = plot(
            "Gradient that reaches each place",
            "place of the stream (1: behind the stem)",
            "norm",
            height=330,
            **PLACES,
            **POWERS,
        )
        self._back = LogBars(back, {"stream": ("in all", "soft"), **ROUTES})
        sizes = plot("Parameters of each block", "block", "numbers", height=200, x_range=(0.4, 1), y_range=(0, 1))
        self._sizes_figure, self._sizes = sizes, empty("block", "number")
        paint(sizes.vbar("block", 0.7, "number", source=self._sizes, line_color=None), fill_color="soft")
        return [reads, back, sizes]

    def update(self, frame: Frame) -> None:
        blocks = len(frame["reads"])
        self._show_boxes(frame, blocks)
        groups = {"stream": frame["stream"]}
        for route in ROUTES:
            values = frame[f"by_{route}"]
            if np.isfinite(values).any():
                groups[route] = values
        self._back.show(groups)
        number = frame["parameters"]
        self._sizes.data = {"block": np.arange(1, blocks + 1), "number": number}
        self._sizes_figure.x_range.update(start=0.4, end=blocks + 0.6)
        self._sizes_figure.y_range.update(end=1.1 * float(number.max()))

    def _show_boxes(self, frame: Frame, blocks: int) -> None:
        main = [at for at, route in enumerate(frame["route"].tolist()) if route == "branch"]
        heights = np.zeros(blocks + 1)
        data: dict[str, list[object]] = {key: [] for key in ("left", "right", "bottom", "top", "color", "what", "back")}
        for at in main:
            source, target = int(frame["source"][at]), int(frame["target"][at])
            features = int(frame["features"][at])
            shade = Cividis256[int(40 + 200 * source / max(1, blocks - 1))]
            data["left"].append(target - 0.4)
            data["right"].append(target + 0.4)
            data["bottom"].append(heights[target])
            heights[target] += features
            data["top"].append(heights[target])
            data["color"].append(shade)
            origin = f"block {source}" if source else "the stem"
            data["what"].append(f"block {target} reads {features} features from {origin}")
            data["back"].append(number(frame["gradient"][at]))
        self._boxes.data = data
        self._counts.data = {
            "block": np.arange(1, blocks + 1),
            "top": heights[1:],
            "text": [f"{each:.0f}" for each in heights[1:]],
        }
        self._reads.x_range.update(start=0.4, end=blocks + 0.6)
        self._reads.y_range.update(end=1.15 * float(heights.max()))
