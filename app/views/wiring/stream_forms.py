"""The weights learned by five forms of a stream, as tables; losses and sizes as measures."""

import numpy as np
from bokeh.models import LayoutDOM

from app.pictures.base.figures import POWERS, STEPS, Curves, plot
from app.pictures.maps.square_tables import SquareTables
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.wording import number
from sims.simulations.wiring.stream_forms import BACK, FORMS, IN_LANES, StreamForms

LOOKS = {
    "sum": ("residual", "solid"),
    "static": ("fifth", "dashed"),
    "attention": ("third", "dotdash"),
    "free": ("fourth", "dotted"),
    "doubly": ("idle", "dashdot"),
}
"""Form → its color and dash"""

SHORT = {
    "sum": "one\nsum",
    "static": "learned\nweights",
    "attention": "attention\nover depth",
    "free": "lanes,\nfree",
    "doubly": "lanes, doubly\nstochastic",
}

LITTLE = 0.5
"""A cell is empty up to this many times the weight of an equal share, half full at that weight, and full at three times
it"""

BRIEFLY = {"sum": "sum", "static": "weights", "attention": "attention", "free": "free", "doubly": "doubly st."}
"""Form → its short name in a legend"""

HEIGHT = 260


class StreamFormsView(View[StreamForms]):
    """The main picture: two figures of tables."""

    def draw(self) -> list[LayoutDOM]:
        colors = {form: LOOKS[form][0] for form in FORMS}
        self._back = SquareTables(
            "How much of each earlier output",
            "row: a block (bottom: the head); column: an output",
            {form: colors[form] for form in BACK},
            {"half or less": 0.0, "an equal share": LITTLE, "1.5 times or more": 1.0},
            HEIGHT,
        )
        self._lanes = SquareTables(
            "Where dye from each lane ends",
            "column: from this lane; row: into this one",
            {form: colors[form] for form in IN_LANES},
            {"nothing": 0.0, "half": 0.5, "all": 1.0, "negative": -0.3},
            HEIGHT,
        )
        return [self._back.figure, self._lanes.figure]

    def measures(self) -> list[LayoutDOM]:
        looks = {form: (name, *LOOKS[form]) for form, name in BRIEFLY.items()}
        sizes = plot("Size of what a block gets", "block (last: the head)", "", x_range=(0, 1), **POWERS)
        self._sizes = Curves(sizes, looks)
        losses = plot("Training loss", "training step", "nats", **STEPS, **POWERS)
        self._losses = Curves(losses, looks)
        return [sizes, losses]

    def update(self, frame: Frame) -> None:
        captions = {}
        for form in SHORT:
            loss = float(frame.results[f"{form}_loss"])
            captions[form] = f"loss {number(loss, 2)}" if frame.step else "not trained yet"
        back = {form: np.maximum(frame[f"{form}_heard"] - LITTLE, 0) for form in BACK}
        self._back.show(back, SHORT, captions, triangles=True)
        self._lanes.show({form: frame[f"{form}_heard"] for form in IN_LANES}, SHORT, captions, triangles=False)
        sizes = {form: read(frame, f"{form}_size") for form in FORMS}
        blocks = len(sizes["sum"][0]) - 1
        self._sizes.show(np.arange(blocks + 1), blocks, sizes)
        self._losses.show(frame["steps"], frame.steps, {form: read(frame, f"{form}_loss") for form in FORMS})
