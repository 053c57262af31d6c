"""Four figures: gradients before training and now stand in the right bars, also where they are exactly zero."""

from dataclasses import replace

import numpy as np
import pytest

from app.views.failures import FailuresView
from sims.contract.bands import ENDINGS
from sims.contract.frame import Frame
from sims.simulations.failures import Failures


@pytest.fixture(scope="module")
def trained():
    simulation = Failures(depth=8, seeds=2, training_steps=300)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 36))


def shown(simulation, frame):
    view = FailuresView(simulation)
    view.draw()
    view.update(frame)
    return view


def test_each_kind_of_gradient_has_its_own_figure_and_each_time_its_own_bars(trained):
    simulation, frame = trained
    view = shown(simulation, frame)
    for bars, kind in ((view._weights, "weight gradient"), (view._stream, "stream gradient")):
        for time in ("at start", "now"):
            assert bars._sources[time].data["top"].tolist() == frame[f"{kind} {time}"].tolist()
        assert frame[f"{kind} now"].tolist() != frame[f"{kind} at start"].tolist()


def test_an_exact_zero_has_a_cross_and_no_bar(trained):
    simulation, frame = trained
    name = "weight gradient now"
    values = frame[name].copy()
    values[2] = 0
    view = shown(simulation, Frame({**frame.quantities, name: replace(frame.quantities[name], values=values)}))
    data = view._weights._sources["now"].data
    assert np.flatnonzero(np.isnan(data["top"])).tolist() == [2]
    assert np.flatnonzero(np.isfinite(data["zero_y"])).tolist() == [2]


def test_the_curves_are_the_band_of_the_seeds_and_reach_to_the_end_of_the_run(trained):
    simulation, frame = trained
    view = shown(simulation, frame)
    for curves, measure in ((view._loss, "loss"), (view._error, "error")):
        for ending in ENDINGS.values():
            assert curves.source.data[f"train{ending}"].tolist() == frame[f"train_{measure}{ending}"].tolist()
        assert curves._plot.x_range.end == 300
