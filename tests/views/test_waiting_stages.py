"""A figure that waits for its reader's prediction has a stage: no plot of it is a heading over nothing."""

import pytest
from bokeh.models import FixedTicker, Plot

from app.pages.document.worksheet import FigureStill
from app.pages.files.stills import still
from app.pictures.base.questions import KNOWN, UNANSWERED
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


def blanks(name: str, simulation: Simulation) -> list[str]:
    """The titles of the plots of a stage, in its first state, that are empty without their results."""
    view = view_of(name, simulation)
    charts = [each for part in view.draw() for each in part.select({"type": Plot})]
    view.measures()
    view.update(first_frame(simulation))
    shown = [chart for chart in charts if chart.visible]
    return [chart.title.text for chart in shown if not (has_known_marks(chart) or has_rulings(chart))]


@pytest.mark.parametrize("slug", first(6, SLUGS))
def test_no_plot_of_a_stage_is_empty_while_it_waits(slug: str) -> None:
    page = site().page(slug)
    names = {place.anchor: place.name for place in page.places.values()}
    waiting = [item.id for item in page.worksheet if isinstance(item, FigureStill) and item.covered]
    empty = {anchor: blanks(names[anchor], page.simulations[anchor]) for anchor in waiting}
    assert {anchor: titles for anchor, titles in empty.items() if titles} == {}
    for anchor in waiting:
        kept = still(CONTENT / "stills", slug, anchor)
        assert kept, anchor
        for width, size in kept.page.items():
            assert size.waiting, (anchor, width)
            assert size.waiting >= LOWEST, (anchor, width)
