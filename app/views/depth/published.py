"""Error against depth, one mark per number."""

from bokeh.models import LayoutDOM

from app.pictures.charts.error_by_depth import ErrorByDepth
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.depth.published import Published


class PublishedView(View[Published]):
    """Marks differ in shape as well as color; a tooltip shows the source of each number."""

    def draw(self) -> list[LayoutDOM]:
        self._errors = ErrorByDepth("Published error against depth")
        return [self._errors.figure]

    def update(self, frame: Frame) -> None:
        self._errors.show(frame)
