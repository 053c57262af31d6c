"""The chosen loss is marked among the ratios, and what is rounding is drawn as such."""

import pytest

from app.views.norm_placement.probe import ProbeView
from sims.simulations.norm_placement.probe import WORDS, Probe
from tests.showing import showing


@pytest.mark.parametrize("loss", WORDS)
def test_the_chosen_loss_is_marked(loss):
    simulation = Probe(loss=loss)
    view = showing(ProbeView(simulation), simulation.compute())
    names = view._ratio._texts.data["name"]
    assert [name for name in names if name.startswith("▸")] == [f"▸ {WORDS[loss]}"]
    assert [text for text in view._ratio._texts.data["text"] if text.endswith(", rounding")]
    (rounding,) = view._ratio._bars["rounding"].data["name"]
    assert rounding.endswith(WORDS["sum"])
    assert len(view._pair._rounding.data["x0"]) > 0 if loss == "sum" else not len(view._pair._rounding.data["x0"])
