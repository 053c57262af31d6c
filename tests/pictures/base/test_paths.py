"""Models are found by the attributes that lead to them, and only those that a view may change."""

from app.pictures.base.direct import Dots
from app.pictures.base.figures import Curves, LogBars, plot
from app.pictures.base.paths import paths
from app.views.depth.degradation import DegradationView
from sims.simulations.depth.degradation import Degradation


class Toy:
    __module__ = "app.toy"

    def __init__(self) -> None:
        self.chart = plot("A title", "x", "y", powers=True, x_range=(0, 1))
        self.curves = Curves(self.chart, {"train": ("train", "plain", "solid")})
        self.dots = Dots(self.chart, {"a": "plain"})
        self.bars = [LogBars(plot("Bars", "x", "y", powers=True, x_range=(0, 1)), {"b": ("b", "plain")})]
        self.whole = self
        self.lines = {("a", True): self.curves.source}
        self.text, self.change = "not a model", print
        self.simulation = Degradation()


def test_names_lead_to_models() -> None:
    toy = Toy()
    names = paths(toy)
    assert names["chart"] == names["curves._plot"] == toy.chart.id
    assert names["chart.x_range"] == toy.chart.x_range.id
    assert names["chart.yaxis.0.ticker"] == toy.chart.yaxis[0].ticker.id
    assert names["chart.legend.0.items.0"] == toy.chart.legend[0].items[0].id
    assert names["curves.source"] == names["lines.a.True"] == toy.curves.source.id
    assert names["dots._sources.a"] == toy.dots._sources["a"].id
    assert names["bars.0._bars.0.glyph"] == toy.bars[0]._bars[0].glyph.id
    assert not [name for name in names if name.startswith(("whole", "text", "change", "simulation"))]


def test_a_view_that_drew_nothing_has_no_names() -> None:
    assert paths(DegradationView(Degradation())) == {}
