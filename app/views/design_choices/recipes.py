"""The block as one drawing."""

from bokeh.models import LayoutDOM

from app.pictures.diagrams.flow_diagram import FlowDiagram
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.design_choices.recipes import Recipes


class RecipesView(View[Recipes]):
    """Boxes, lines, and a table next to them."""

    def draw(self) -> list[LayoutDOM]:
        self._diagram = FlowDiagram("The block, from input to output")
        self._diagram.figure.styles = {"grid-column": "1 / -1"}
        return [self._diagram.figure]

    def update(self, frame: Frame) -> None:
        self._diagram.show(frame)
