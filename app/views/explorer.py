"""Up to two networks side by side: diagram and map of each, then the loss and the gradients of both."""

from bokeh.models import LayoutDOM
from bokeh.models.annotations import Span

from app.pictures.figures import HEIGHT, PLACES, POWERS, STEPS, Curves, LogBars, ink, plot
from app.pictures.network_diagram import NetworkDiagram
from app.pictures.plane import Plane
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.own_points import added, erased
from sims.simulations.explorer import Explorer

NAMES = {"first": ("this network", "accent", "solid"), "second": ("the other one", "idle", "dashed")}

NEAR = 0.15
"""How near to a point a click must be to erase it, in units of the plane."""

HIGH = 360
"""Pixels of the loss beside a single map."""

WHOLE_WIDTH: dict[str, str | None] = {"grid-column": "1 / -1"}
NOT_WIDE: dict[str, str | None] = {}


class ExplorerView(View[Explorer]):
    """Diagrams, maps, loss and gradients at the moment that the reader has chosen."""

    def draw(self) -> list[LayoutDOM]:
        self._diagrams = {"first": NetworkDiagram("Layers and skips"), "second": NetworkDiagram("The other network")}
        self._planes = {
            "first": Plane("Answers over the plane", self._on_tap),
            "second": Plane("The other network's answers", self._on_tap),
        }
        loss = plot("Loss on the training points", "training step", "cross-entropy (nats)", **STEPS, **POWERS)
        gradients = plot(
            "Gradient of each layer's weights",
            "layer, from input to output",
            "norm of the gradient",
            **PLACES,
            **POWERS,
        )
        self._loss = Curves(loss, NAMES)
        self._gradients = LogBars(gradients, {name: look[:2] for name, look in NAMES.items()})
        self._moment = Span(dimension="height", location=0, line_width=1.5, line_dash="dotted", visible=False)
        ink(self._moment, line_color="ink")
        loss.add_layout(self._moment)
        self._wide = [self._diagrams["first"].figure, gradients]
        self._bars = gradients
        self._curves, self._legends = loss, [loss.legend[0], gradients.legend[0]]
        pairs = [each[name].figure for each in (self._diagrams, self._planes) for name in NAMES]
        return [*pairs, loss, gradients]

    def update(self, frame: Frame) -> None:
        trained = [name for name in NAMES if f"{name}_maps" in frame.quantities]
        for name in NAMES:
            for picture in (self._diagrams[name], self._planes[name]):
                picture.figure.visible = name in trained
        pair = "second" in trained
        for wide in self._wide:
            wide.styles = dict(NOT_WIDE if pair else WHOLE_WIDTH)
        for legend in self._legends:
            legend.visible = pair
        self._curves.height = HEIGHT if pair else HIGH
        for nothing in (self._curves, self._bars):
            nothing.visible = bool(trained)
        if not trained:
            if "points" in frame.quantities:
                self._planes["first"].figure.visible = True
                self._planes["first"].show_nothing_learned(frame)
            return
        moment = self.simulation.shown(frame)
        for name in trained:
            self._diagrams[name].show(frame, name, moment)
            self._planes[name].show(frame, name, moment)
        self._moment.update(location=float(frame["steps"][moment]), visible=moment + 1 < len(frame["steps"]))
        self._loss.show(frame["steps"], frame.steps, {name: read(frame, f"{name}_train_loss") for name in trained})
        self._gradients.show({name: frame[f"{name}_weight_gradients"][moment] for name in trained})

    def _on_tap(self, x: float | None, y: float | None) -> None:
        """A click on the map: a point more, or one less, where the reader's own points are learned."""
        if self.simulation.task != "own" or not (isinstance(x, float | int) and isinstance(y, float | int)):
            return
        points, pen = self.simulation.points, self.simulation.pen
        after = erased(points, x, y, NEAR) if pen == "erase" else added(points, pen, x, y)
        self.change("points", after)
