"""The bet: ends of runs that were kept and of no others, the run of the present depth, and measures of both."""

from typing import Any

import numpy as np
import pytest
from bokeh.events import Tap

from app.views.depth.degradation import TICKS, DegradationView
from sims.contract.bands import ENDINGS, reading
from sims.kept import results
from sims.simulations.depth.degradation import Degradation
from tests.showing import showing

SMALL: dict[str, Any] = {"seeds": 2, "training_steps": 200, "width": 8}


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def trained():
    simulation = Degradation(depth=4, **SMALL)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 40))


def shown(simulation, frame):
    return showing(DegradationView(simulation), frame)


def test_the_axis_of_depths_has_a_tick_at_both_ends():
    assert (TICKS[0], TICKS[-1]) == Degradation.param["depth"].bounds


@pytest.mark.parametrize("measure", Degradation.param.measure.objects)
def test_the_curves_are_those_of_the_chosen_measure(trained, measure):
    simulation, frame = trained
    simulation.measure = measure
    view = shown(simulation, frame)
    for curves, quantity in ((view._errors, "error"), (view._loss, "loss")):
        data = curves.source.data
        assert data["x"].tolist() == frame["steps"].tolist()
        for name in ("plain", "residual"):
            for ending in ENDINGS.values():
                assert data[name + ending].tolist() == frame[f"{name}_{measure}_{quantity}{ending}"].tolist()
    assert frame[f"plain_{measure}_loss"].tolist() != frame[f"residual_{measure}_loss"].tolist()


@pytest.mark.parametrize("measure", Degradation.param.measure.objects)
def test_only_kept_runs_with_the_same_settings_are_in_the_curve_over_depths(measure):
    simulation = Degradation(depth=4, measure=measure, **SMALL)
    before = shown(simulation, simulation.frame(simulation.start()))
    assert len(before._ends.source.data["x"]) == 0
    finished = results.finished(Degradation(depth=2, **SMALL))
    results.finished(Degradation(depth=8, **SMALL | {"seeds": 1}))
    after = shown(simulation, simulation.frame(simulation.start()))
    assert after._ends.source.data["x"].tolist() == [2]
    assert after._ends.source.data["plain_high"].tolist() == [reading(finished, f"plain_{measure}_error", "highest")]


def test_where_nothing_else_has_been_run_the_curves_of_the_default_settings_are_pale(trained):
    simulation, frame = trained
    simulation.measure = "train"
    view = shown(simulation, frame)
    pale = view._default.source.data
    assert pale["x"].tolist() == list(Degradation.atlas["depth"])
    shipped = [results.kept(Degradation(depth=depth)) for depth in Degradation.atlas["depth"]]
    for name in ("plain", "residual"):
        assert pale[f"{name}_high"].tolist() == [reading(end, f"{name}_train_error", "highest") for end in shipped]
    assert view._note.data["text"] == ["pale: default\nsettings"]
    results.finished(Degradation(depth=2, **SMALL))
    view = shown(simulation, frame)
    assert len(view._default.source.data["x"]) == len(view._note.data["text"]) == 0
    assert view._ends.source.data["x"].tolist() == [2]


def test_a_finished_run_is_part_of_the_curve():
    simulation = Degradation(depth=6, **SMALL)
    frame = simulation.compute()
    view = shown(simulation, frame)
    assert view._ends.source.data["x"].tolist() == [6]
    assert view._ends.source.data["residual"].tolist() == [frame["residual_train_error"][-1]]
    assert view._marks._sources["plain"].data == {"x": [6], "y": [frame["plain_train_error"][-1]]}


def test_what_is_untrained_is_neither_network_s_success_nor_failure(trained):
    simulation, frame = trained
    view = shown(simulation, simulation.frame(simulation.start()))
    assert [len(source.data["x"]) for source in view._marks._sources.values()] == [0, 0, 1]
    assert [len(source.data["x"]) for source in shown(simulation, frame)._marks._sources.values()] == [1, 1, 0]


def test_the_depth_is_pulled_in_the_picture(trained):
    view, heard = shown(*trained), []
    view.change = lambda name, value: heard.append((name, value))
    view._throttle._seconds = 0
    for x in (31.2, -5.0, 400.0, None):
        view._over._trigger_event(Tap(view._over, x=x, y=0.5))
    assert heard == [("depth", 32), ("depth", 2), ("depth", 64)]


def test_a_bar_is_a_layer_and_its_top_the_gradient(trained):
    simulation, frame = trained
    view = shown(simulation, frame)
    for name, beside in (("plain", -0.2), ("residual", 0.2)):
        data = view._gradients._sources[name].data
        assert data["top"].tolist() == frame[f"{name}_gradients"].tolist()
        assert data["x"] == pytest.approx(np.arange(1, 5) + beside)
