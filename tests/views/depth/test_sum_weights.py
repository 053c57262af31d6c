"""A map of losses with a frame around the best rate for each factor, and what of it is known before the prediction."""

from typing import Any

import numpy as np
import pytest

from app.pictures.base.questions import KNOWN
from app.pictures.maps.loss_map import LEAST, LossMap
from app.views.depth.sum_weights import GIVEN, GUESSING, SumWeightsView
from sims.contract.frame import Frame
from sims.simulations.depth.sum_weights import RATES, SumWeights, alphas
from tests.showing import showing

SMALL: dict[str, Any] = {"blocks": 16, "seeds": 1, "training_steps": 100}


@pytest.fixture(scope="module")
def run() -> tuple[SumWeights, Frame]:
    simulation = SumWeights(**SMALL)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 20))


def test_the_best_rate_of_a_factor_has_a_frame_where_it_is_better_than_guessing(run: tuple[SumWeights, Frame]) -> None:
    view, frame = showing(SumWeightsView(run[0]), run[1]), run[1]
    framed = dict(zip(view._map.best.data["x"], view._map.best.data["y"], strict=True))
    good = np.flatnonzero(frame["best"] < GUESSING)
    assert framed == {at: RATES.index(frame["best_rate"][at]) for at in good}
    assert view._lines.source.data["best"].tolist() == frame["best"].tolist()
    assert view._lines.source.data[GIVEN].tolist() == frame["loss"][RATES.index(float(GIVEN))].tolist()


def test_before_the_first_look_no_rate_is_the_best() -> None:
    simulation = SumWeights(**SMALL)
    view = showing(SumWeightsView(simulation), simulation.frame(simulation.start()))
    assert not view._map.best.data["x"]
    assert np.isnan(view._lines.source.data["best"]).all()
    assert [source.data["text"] for source in view._line_words.values()] == [[], [], ["at the start"]]
    cells = sum(len(source.data["x"]) for source in view._map.cells.values())
    assert cells == len(RATES) * len(alphas(16))


def test_of_the_map_only_the_row_of_the_question_is_known(run: tuple[SumWeights, Frame]) -> None:
    view = showing(SumWeightsView(run[0]), run[1])
    known = {mark.data_source.id for mark in view._map.figure.renderers if KNOWN in mark.tags}
    rows = {
        row: np.concatenate([source.data["y"] for (_kind, which), source in view._map.cells.items() if which == row])
        for row in ("given", "other")
    }
    assert set(rows["given"]) == {RATES.index(float(GIVEN))}
    assert RATES.index(float(GIVEN)) not in rows["other"]
    for (_kind, row), source in view._map.cells.items():
        assert (source.id in known) == (row == "given")
    assert view._map.marks["other"].id not in known
    assert view._map.best.id not in known


def test_a_cell_is_good_below_guessing_and_bad_above_it_or_if_it_is_no_number() -> None:
    chart = LossMap("Losses", "rate", ["one"], 0, 2.0)
    chart.show(np.array([[1.99, 0.01, 1e-9, 2.01, 1e30, np.nan]]), list("abcdef"), [0] * 6)
    good, bad = (chart.cells[kind, "given"].data for kind in ("good", "bad"))
    assert good["x"] == [0, 1, 2]
    assert good["alpha"] == pytest.approx([LEAST, 1, 1], abs=0.01)
    assert bad["x"] == [3, 4, 5]
    assert bad["alpha"][1:] == [1, 1]
    assert len(chart.marks["given"].data["text"]) == 3
    assert chart.best.data["x"] == [0, 1, 2]
