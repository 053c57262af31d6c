"""Five bars for five small networks, and a change that travels through four deep ones."""

from bokeh.models import LayoutDOM

from app.pictures.figures import PLACES, POWERS, Curves, plot
from app.pictures.lanes import Lanes
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.simulations.perturbation import Perturbation

DEEP = {
    "plain": ("plain", "plain", "dashed"),
    "residual": ("residual", "residual", "solid"),
    "scaled": ("residual, branch / √L", "third", "dotdash"),
    "pre-layer": ("Pre-LN", "fourth", "dotted"),
}


class PerturbationView(View[Perturbation]):
    """How far outputs move, and how far the stream moves block by block."""

    def draw(self) -> list[LayoutDOM]:
        self._rows = Lanes(
            "How far the output moves", "length of the change", {"plain": "plain", "residual": "residual"}, room=0.42
        )
        travel = plot("A change on its way through deep networks", "block", "change of the stream", **PLACES, **POWERS)
        self._travel = Curves(travel, DEEP)
        return [self._rows.figure, travel]

    def update(self, frame: Frame) -> None:
        names = frame["network"].tolist()
        moved = frame["moved"].tolist()
        texts = [
            f"{length:.4f}, [{one:.3g}, {other:.3g}]"
            for length, (one, other) in zip(frame["change"].tolist(), moved, strict=True)
        ]
        kinds = ["plain" if name.startswith("plain") else "residual" for name in names]
        self._rows.show(names, frame["change"], texts, kinds, longest=0.1)
        behind = slice(int(frame.results["place"]), None)
        bands = {name: [each[behind] for each in read(frame, name)] for name in DEEP}
        self._travel.show(frame["block"][behind], max(len(frame["block"]) - 1, 2), bands)
