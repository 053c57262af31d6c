"""One network along one direction: raw, and filter-normalized; gray lines for the network before it was rescaled."""

from bokeh.models import LayoutDOM

from app.pictures.figures import POWERS, empty, fit, paint, plot, quiet_legend
from app.views.base import View
from sims.contract.frame import Frame
from sims.simulations.rescale_trap import RescaleTrap

TITLES = {"raw": "Raw direction", "normalized": "Filter-normalized direction"}


class RescaleTrapView(View[RescaleTrap]):
    """Two figures on one scale."""

    def draw(self) -> list[LayoutDOM]:
        self._figures, self._sources = {}, {}
        for kind, title in TITLES.items():
            made = self._figures[kind] = plot(
                title, "place along the direction", "loss (nats)", x_range=(-1, 1), **POWERS
            )
            source = self._sources[kind] = empty("x", "before", "now")
            before = made.line("x", "before", source=source, line_width=6, legend_label="c = 1")
            now = made.line("x", "now", source=source, line_width=2.2, legend_label="now")
            paint(before, line_color="rule")
            paint(now, line_color="plain")
            quiet_legend(made)
        return list(self._figures.values())

    def update(self, frame: Frame) -> None:
        everything = [frame[kind + ending] for kind in TITLES for ending in ("", "_before")]
        for kind, source in self._sources.items():
            source.data = {"x": frame["along"], "before": frame[f"{kind}_before"], "now": frame[kind]}
            fit(self._figures[kind], everything)
