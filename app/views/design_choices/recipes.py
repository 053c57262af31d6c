"""The block as one drawing."""

from bokeh.models import LayoutDOM

from app.pictures.base.screens import NARROW, WIDE
from app.pictures.diagrams.flow_diagram import FlowDiagram
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.design_choices.recipes import Recipes

TITLES = {
    WIDE: "The block to scale: width is features, area is parameters",
    NARROW: "Width: features; area: parameters",
}


class RecipesView(View[Recipes]):
    """Boxes, lines, and a table next to them."""

    def draw(self) -> list[LayoutDOM]:
        self._diagram = FlowDiagram(TITLES)
        return self._diagram.figures

    def update(self, frame: Frame) -> None:
        self._diagram.show(frame)
