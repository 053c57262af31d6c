"""Error against depth, one mark per number."""

from bokeh.models import LayoutDOM

from app.pictures.base.figures import empty, paint, words
from app.pictures.base.questions import known, until_answered
from app.pictures.charts.error_by_depth import ErrorByDepth
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.depth.published import Published


class PublishedView(View[Published]):
    """Marks differ in shape as well as color; a tooltip shows the source of each number.

    Before the answer, the deepest residual network is missing: the prediction is about its error.
    """

    def draw(self) -> list[LayoutDOM]:
        self._errors = ErrorByDepth("Published error against depth")
        chart = self._errors.figure
        known(chart, self._errors.sources["bound"], self._errors.gap, self._errors.words["plain"])
        self._shallower = empty("x", "y", "text")
        line = chart.line("x", "y", source=self._shallower, line_width=2.2)
        marks = chart.scatter("x", "y", source=self._shallower, size=11)
        paint(line, line_color="residual")
        paint(marks, fill_color="residual", line_color="residual")
        labels = words(chart, self._shallower, "residual", text_align="left", x_offset=10, y_offset=-9)
        until_answered(chart, line, marks, labels)
        return [chart]

    def update(self, frame: Frame) -> None:
        self._errors.show(frame)
        residual = self._errors.sources["residual"].data
        columns = {"x": residual["depth"], "y": residual["y"], "text": residual["label"]}
        self._shallower.data = {name: column[:-1] for name, column in columns.items()}
