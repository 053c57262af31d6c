"""Curves and bars of the two networks: what the frame holds, and only what has been trained."""

import numpy as np
import pytest

from app.views.degradation import DegradationView
from sims.contract.bands import ENDINGS
from sims.simulations.degradation import Degradation


@pytest.fixture(scope="module")
def trained():
    simulation = Degradation(depth=4, seeds=2, training_steps=200)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 40))


@pytest.mark.parametrize("measure", Degradation.param.measure.objects)
def test_the_curves_are_those_of_the_chosen_measure(trained, measure):
    simulation, frame = trained
    simulation.measure = measure
    view = DegradationView(simulation)
    view.draw()
    view.update(frame)
    for curves, what in ((view._error, "error"), (view._loss, "loss")):
        shown = curves.source.data
        assert shown["x"].tolist() == frame["steps"].tolist()
        for name in ("plain", "residual"):
            for ending in ENDINGS.values():
                assert shown[name + ending].tolist() == frame[f"{name}_{measure}_{what}{ending}"].tolist()
    assert frame[f"plain_{measure}_loss"].tolist() != frame[f"residual_{measure}_loss"].tolist()


def test_a_bar_is_a_layer_and_its_top_the_gradient(trained):
    simulation, frame = trained
    view = DegradationView(simulation)
    view.draw()
    view.update(frame)
    for name, beside in (("plain", -0.2), ("residual", 0.2)):
        shown = view._gradients._sources[name].data
        assert shown["top"].tolist() == frame[f"{name}_gradients"].tolist()
        assert shown["x"] == pytest.approx(np.arange(1, 5) + beside)
