"""Up to two networks side by side: the layers and the map of each, and the loss of both, with which a reader goes
back."""

from typing import Any

import numpy as np
from bokeh.events import Pan, PanStart, Tap
from bokeh.models import InlineStyleSheet, LayoutDOM
from bokeh.models.annotations import Span

from app.pictures.base.figures import PLACES, POWERS, STEPS, Curves, LogBars, ink, plot
from app.pictures.base.questions import known
from app.pictures.diagrams.network_diagram import NetworkDiagram
from app.pictures.maps.feature_tiles import FeatureTiles
from app.pictures.maps.network_maps import WIDEST, Drawn, NetworkMaps
from app.views.base import View
from sims.contract.bands import read
from sims.contract.frame import Frame
from sims.contract.own_points import added, erased
from sims.data.input_features import LABELS
from sims.simulations.design_choices.explorer import Explorer

NAMES = {"first": ("this network", "accent", "solid"), "second": ("the other one", "idle", "dashed")}

LOSSES = {
    "plain_train": ("", "plain", "dashed"),
    "residual_train": ("", "residual", "solid"),
    "idle_train": ("", "idle", "solid"),
    "plain_test": ("", "plain", "dotted"),
    "residual_test": ("", "residual", "dotted"),
    "idle_test": ("", "idle", "dotted"),
}
"""Color of a network and part of the data → legend, color and dash"""

NEAR = 0.15
"""Distance from a point within which a click erases it, in units of the plane."""

SPAN: dict[str, str | None] = {"grid-column": "1 / -1"}

BESIDE = """
@container (min-width: 890px) { :host { grid-row: 1; place-self: start end; width: 285px; } }
@container (min-width: 1040px) { :host { width: 24%; } }
"""
UNDER_THEM = """
@container (min-width: 1040px) { :host { grid-row: 1; place-self: end; width: 24%; height: 240px !important; } }
"""
FIRST = """
@container (min-width: 890px) { :host { grid-row: 1; } }
@container (min-width: 1040px) { :host { max-width: 74% !important; } }
"""
"""If there is room, the features are next to the maps and not below them, and so is the loss, below the features."""

FEW = 3
"""Labels of the axis of the loss, which is short"""


class ExplorerView(View[Explorer]):
    """Strips, maps and the loss at the moment that the reader has chosen; diagrams and gradients as measures."""

    def draw(self) -> list[LayoutDOM]:
        self._maps = NetworkMaps("Answers over the plane", self._on_map, self._on_layer)
        self._maps.figure.stylesheets = [InlineStyleSheet(css=FIRST)]
        self._features = FeatureTiles("Fed to the networks (click)", self._on_feature)
        known(self._features.figure)
        self._features.figure.stylesheets = [InlineStyleSheet(css=BESIDE)]
        loss = plot("Loss (dotted: test). Drag to go back", "", "", height=118, max_width=WIDEST, **STEPS, **POWERS)
        loss.update(frame_align=False, min_border_right=22, stylesheets=[InlineStyleSheet(css=UNDER_THEM)])
        self._loss = Curves(loss, LOSSES, FEW)
        loss.legend[0].visible = False
        self._moment = Span(dimension="height", location=0, line_width=3)
        ink(self._moment, line_color="ink")
        loss.add_layout(self._moment)
        for kind_of_event in (PanStart, Pan, Tap):
            loss.on_event(kind_of_event, self._on_loss)
        self._steps = np.zeros(1)
        stage: list[LayoutDOM] = [self._maps.figure, loss, self._features.figure]
        for model in stage:
            model.styles = SPAN
        return stage

    def measures(self) -> list[LayoutDOM]:
        self._diagrams = {"first": NetworkDiagram("Layers and skips"), "second": NetworkDiagram("The other network")}
        gradients = plot(
            "Gradient of each layer's weights",
            "layer, from input to output",
            "size of the gradient",
            **PLACES,
            **POWERS,
        )
        self._gradients = LogBars(gradients, {name: look[:2] for name, look in NAMES.items()})
        self._bars = gradients
        return [*(diagram.figure for diagram in self._diagrams.values()), gradients]

    def update(self, frame: Frame) -> None:
        trained = [name for name in NAMES if f"{name}_maps" in frame.quantities]
        for name, diagram in self._diagrams.items():
            diagram.figure.visible = name in trained
        self._bars.visible = bool(trained)
        self._bars.legend[0].visible = len(trained) > 1
        moment = self.simulation.shown(frame) if trained else 0
        colors = dict(zip(trained, self._colors(frame, trained), strict=True))
        self._show_maps(frame, colors, moment)
        self._features.show(frame["features"], [name for name in LABELS if getattr(self.simulation, f"feed_{name}")])
        self._steps = frame["steps"] if trained else np.zeros(1)
        bands = {
            f"{color}_{part}": read(frame, f"{name}_{part}_loss")
            for name, color in colors.items()
            for part in ("train", "test")
        }
        self._loss.show(self._steps, max(frame.steps, 1), bands)
        self._moment.update(location=float(self._steps[moment]), visible=bool(trained))
        for name in trained:
            self._diagrams[name].show(frame, name, moment)
        self._gradients.show({name: frame[f"{name}_weight_gradients"][moment] for name in trained})

    @staticmethod
    def _colors(frame: Frame, trained: list[str]) -> list[str]:
        """Orange without a skip and blue with one; a second network of the same kind is gray."""
        colors = ["plain" if frame.results[f"{name}_skip"] == "none" else "residual" for name in trained]
        return colors if len(set(colors)) == len(colors) else [colors[0], "idle"]

    def _show_maps(self, frame: Frame, colors: dict[str, str], moment: int) -> None:
        differs = str(frame.results.get("second_differs", ""))
        other = "The very same" if frame.results.get("second_same") else differs[:1].upper() + differs[1:]
        words = {"first": "This network", "second": other}
        networks = [
            Drawn(
                words[name],
                color,
                frame[f"{name}_weight_gradients_health"][moment],
                frame[f"{name}_weight_gradients"][moment],
                frame[f"{name}_maps"][moment],
                frame[f"{name}_units"],
            )
            for name, color in colors.items()
        ]
        points = frame["points"] if "points" in frame.quantities else np.empty((0, 2))
        classes = frame["classes"] if "classes" in frame.quantities else np.empty(0, int)
        self._reach = float(frame.results["reach"])
        back = bool(networks) and moment + 1 < len(frame["steps"])
        self._maps.show(networks, points, classes, self._reach, layer=self.simulation.layer, back=back)

    def _on_loss(self, event: Any) -> None:
        """Go to the stored moment nearest to the pointer, while a reader drags over the loss."""
        if isinstance(event.x, float | int):
            last = max(len(self._steps) - 1, 1)
            nearest = int(np.abs(self._steps - float(event.x)).argmin())
            self.change("moment", round(100 * nearest / last))

    def _on_feature(self, name: str) -> None:
        """Toggle a feature."""
        control = f"feed_{name}"
        self.change(control, not getattr(self.simulation, control))

    def _on_layer(self, layer: int) -> None:
        """Look into a layer, or, with 0, at the answers again."""
        if layer != self.simulation.layer:
            self.change("layer", layer)

    def _on_map(self, x: float, y: float) -> None:
        """Add or remove a point with a click on the map, if the networks learn the reader's own points."""
        if self.simulation.task != "own":
            return
        x, y = x * self._reach, y * self._reach
        points, pen = self.simulation.points, self.simulation.pen
        after = erased(points, x, y, NEAR) if pen == "erase" else added(points, pen, x, y)
        self.change("points", after)
