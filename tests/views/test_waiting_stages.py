"""A figure that waits for its reader's prediction has a stage: no plot of it is a heading over nothing, and something
that is known is on one of them."""

import pytest
from bokeh.models import FixedTicker, Plot

from app.pages.document.worksheet import FigureStill
from app.pages.files.stills import still
from app.pictures.base.questions import KNOWN, RESULT, UNANSWERED
from app.views.base import view_of
from sims.contract.simulation import Simulation
from sims.paths import CONTENT
from tests.first_frame import first_frame
from tests.site import SLUGS, site
from tests.tiers import first

LOWEST = 200
"""Least height of a stage in pixels"""


def has_known_marks(chart: Plot) -> bool:
    """Whether marks that are no results are on the plot."""
    everything = [*chart.renderers, *chart.center]
    marks = [mark for mark in everything if UNANSWERED in mark.tags or (KNOWN in mark.tags and mark.visible)]
    sources = [getattr(mark, "data_source", getattr(mark, "source", None)) for mark in marks]
    return any(len(column) for source in sources if source for column in source.data.values())


def has_rulings(chart: Plot) -> bool:
    """Whether lines at the ticks of an axis show where values will be."""
    tickers = [grid.axis.ticker for grid in chart.grid if grid.visible and grid.axis and grid.axis.visible]
    return any(not isinstance(ticker, FixedTicker) or ticker.ticks for ticker in tickers)


def is_drawn_on(chart: Plot) -> bool:
    """Whether the reader draws on the plot."""
    return any(isinstance(tag, dict) and "drawn" in tag for tag in chart.tags)


def plots(name: str, simulation: Simulation) -> list[Plot]:
    """The plots of a stage in its first state."""
    view = view_of(name, simulation)
    charts = [plotted for part in view.draw() for plotted in part.select({"type": Plot})]
    view.measures()
    view.update(first_frame(simulation))
    return [chart for chart in charts if chart.visible]


@pytest.mark.parametrize("slug", first(6, SLUGS))
def test_no_plot_of_a_stage_is_empty_while_it_waits(slug: str) -> None:
    page = site().page(slug)
    names = {place.anchor: place.name for place in page.places.values()}
    waiting = [item.id for item in page.worksheet if isinstance(item, FigureStill) and item.covered]
    for anchor in waiting:
        charts = plots(names[anchor], page.simulations[anchor])
        assert [
            plotted.title.text for plotted in charts if not (has_known_marks(plotted) or has_rulings(plotted))
        ] == [], anchor
        assert not charts or any(has_known_marks(plotted) or is_drawn_on(plotted) for plotted in charts), anchor
        kept = still(CONTENT / "stills", slug, anchor)
        assert kept, anchor
        for width, size in kept.page.items():
            assert size.stage >= LOWEST, (anchor, width)


def test_what_is_known_leaves_out_what_is_asked() -> None:
    """The error of the deepest published network, losses at other rates, and the sign of a difference."""
    shown = {
        (slug, anchor): plots(name, site().page(slug).simulations[anchor])
        for slug, anchor, name in (
            ("experiment", "published", "published"),
            ("scaling", "quiet", "sum_weights"),
            ("field", "value_residual", "value_residual"),
        )
    }
    (published,), (_map, losses, *_), (_models, difference, *_) = shown.values()
    waiting = [mark.data_source.data for mark in published.renderers if UNANSWERED in mark.tags]
    assert waiting
    assert all(max(data["x"]) < 1202 for data in waiting)
    lines = {
        mark.glyph.y for mark in losses.renderers if KNOWN in mark.tags and mark.glyph.__class__.__name__ == "Line"
    }
    assert lines == {"0.001", "y"}
    assert all(RESULT in axis.tags for axis in (*difference.yaxis, *difference.ygrid))
