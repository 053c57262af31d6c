"""The picture shows the statistics that were chosen, kept ends only, and listens to a press."""

from typing import Any

import pytest
from bokeh.events import Tap

from app.views.depth.convolutions import ConvolutionsView
from sims.contract.bands import ENDINGS
from sims.kept import results
from sims.simulations.depth.convolutions import Convolutions
from tests.showing import showing

SMALL: dict[str, Any] = {"width": 4, "seeds": 1, "training_steps": 150}


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def trained():
    simulation = Convolutions(depth=8, **SMALL)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 30))


def shown(simulation, frame):
    return showing(ConvolutionsView(simulation), frame)


@pytest.mark.exhaustive
@pytest.mark.parametrize("which", ["kept", "own"])
def test_the_curves_are_those_of_the_chosen_statistics(trained, which):
    simulation, frame = trained
    simulation.statistics = which
    data = shown(simulation, frame)._errors.source.data
    simulation.statistics = "kept"
    for name in ("plain", "residual"):
        for ending in ENDINGS.values():
            assert data[name + ending].tolist() == frame[f"{name}_{which}_error{ending}"].tolist()


@pytest.mark.exhaustive
def test_only_finished_runs_are_in_the_curve_over_depths(trained):
    simulation, frame = trained
    assert len(shown(simulation, frame)._ends.source.data["x"]) == 0
    done = results.finished(Convolutions(depth=8, **SMALL))
    other = Convolutions(depth=20, **SMALL)
    view = shown(other, other.frame(other.start()))
    assert list(view._ends.source.data["x"]) == [8]
    assert view._ends.source.data["plain"].tolist() == [done["plain_kept_error"][-1]]


def test_a_press_chooses_the_nearest_depth_that_is_run_ahead(trained):
    view, heard = shown(*trained), []
    view.change = lambda name, value: heard.append((name, value))
    for place in (0, 30, 70):
        view._on_tap(Tap(view._over, x=place, y=0.5))
    view._on_tap(Tap(view._over, x=None, y=0.5))
    assert heard == [("depth", 8), ("depth", 32), ("depth", 56)]
