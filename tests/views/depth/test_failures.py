"""Three failures side by side, which open when pressed; lines of likeness; measures with the right gradients."""

from dataclasses import replace

import numpy as np
import pytest

from app.views.depth.failures import FailuresView
from sims.contract.bands import ENDINGS
from sims.kept import results
from sims.simulations.depth.failures import CASES, Failures
from tests.showing import showing


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def trained():
    simulation = Failures(depth=8, seeds=2, training_steps=300)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 36))


def shown(simulation, frame):
    return showing(FailuresView(simulation), frame)


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
    view = shown(
        simulation,
        replace(frame, quantities={**frame.quantities, name: replace(frame.quantities[name], values=values)}),
    )
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


def verdicts(view):
    words = {key: source.data for key, source in view._cases._words.items() if key[0] == "verdict"}
    places = [(x, text) for data in words.values() for x, text in zip(data["x"], data["text"], strict=True)]
    return [text for _, text in sorted(places)]


def test_the_present_failure_is_this_run_and_the_others_are_kept_ones():
    simulation = Failures(depth=8, seeds=1, training_steps=300)
    frame = simulation.frame(simulation.start())
    assert verdicts(shown(simulation, frame)) == ["not trained yet", "not trained yet", "untrained"]
    finished = results.finished(Failures(depth=8, seeds=1, training_steps=300, initialization="default"))
    assert verdicts(shown(simulation, frame)) == [finished.results["diagnosis"], "not trained yet", "untrained"]


def test_other_settings_are_next_to_the_three_failures():
    simulation = Failures(depth=8, seeds=1, training_steps=300, skip="additive")
    view = shown(simulation, simulation.frame(simulation.start()))
    assert view._cases._names == [*CASES, "Yours"]
    assert view._cases._chosen.data["left"].tolist() == [3.02]
    assert view._cases.lights["plain"].data["top"] == []
    assert len(view._cases._bodies.data["top"]) == 7


def lines(view):
    return {key: source.data["y"] for key, source in view._alike._sources.items() if source.data["y"]}


def widest(view):
    widths = {key: line.glyph.line_width for key, line in view._alike._lines.items()}
    return {key for key, width in widths.items() if width == max(widths.values())}


def test_the_likeness_of_a_kept_failure_and_of_the_present_one_has_a_line_each():
    settings = {"depth": 8, "seeds": 1, "training_steps": 300}
    simulation = Failures(**settings)
    frame = simulation.frame(simulation.start())
    finished = results.finished(Failures(**settings, initialization="default"))
    view = shown(simulation, frame)
    assert lines(view) == {
        ("Default", False): finished["likeness at start"].tolist(),
        ("He", False): frame["likeness at start"].tolist(),
    }
    assert widest(view) == {("He", False)}
    assert [item.visible for item in view._alike.figure.legend[0].items] == [True, False, True, False, False]
    assert view._alike.figure.x_range.end == 7


@pytest.mark.parametrize("skip", ["none", "additive"])
def test_the_line_of_other_settings_says_whether_there_are_skips(skip):
    simulation = Failures(depth=8, seeds=1, training_steps=300, initialization="orthogonal", skip=skip)
    view = shown(simulation, simulation.frame(simulation.start()))
    assert list(lines(view)) == [("Yours", skip != "none")]


def test_the_measures_show_the_likeness_before_training_and_now(trained):
    simulation, frame = trained
    view = shown(simulation, frame)
    for time in ("at start", "now"):
        assert view._likeness_sources[time].data["y"].tolist() == frame[f"likeness {time}"].tolist()
    assert frame["likeness now"].tolist() != frame["likeness at start"].tolist()


def test_a_press_on_a_failure_sets_what_leads_to_it():
    simulation = Failures(depth=8, seeds=1, skip="additive")
    view, heard = shown(simulation, simulation.frame(simulation.start())), []
    view.change_all = heard.append
    view._open("Yours")
    view._open("BatchNorm")
    assert heard == [{"skip": "none", "activation": "relu", "initialization": "he", "norm": "batch"}]
