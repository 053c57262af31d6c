"""The bars by length: counted, by the formula, and measured, each in its own column."""

from types import SimpleNamespace

import numpy as np
import pytest

from app.pictures.base.end_labels import LINE
from app.views.gradients.path_lengths import INSIDE, KINDS, SMALLEST, PathLengthsView
from sims.contract.bands import ENDINGS
from sims.simulations.gradients.path_lengths import PathLengths
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def measured():
    simulation = PathLengths(**{**shortest(PathLengths), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 20))


def test_a_length_has_its_count_its_formula_and_its_measured_share_with_the_range_of_the_seeds(measured):
    simulation, frame = measured
    view = showing(PathLengthsView(simulation), frame)
    data = view._bars.data
    assert data["x"].tolist() == list(range(len(frame["count"])))
    pairs = {"count": "count", "formula": "formula", "share": "share", "low": "share_low", "high": "share_high"}
    for column, key in pairs.items():
        assert data[column].tolist() == frame[key].tolist()
    assert len({tuple(data[column].tolist()) for column in pairs}) == len(pairs)


def test_parts_too_small_for_the_axis_are_left_out_of_the_sizes(measured):
    simulation, frame = measured
    view = showing(PathLengthsView(simulation), frame)
    for ending in ENDINGS.values():
        expected = np.where(frame[f"size{ending}"] > SMALLEST, frame[f"size{ending}"], np.nan)
        assert np.array_equal(view._size.source.data[f"size{ending}"], expected, equal_nan=True)


def test_every_hill_says_its_mean_and_no_words_overlap(measured):
    simulation, frame = measured
    view = showing(PathLengthsView(simulation), frame)
    heights = sorted(view._words[name].data["y"][0] for name in KINDS)
    span = view._all.y_range.end - view._all.y_range.start
    assert np.diff(heights).min() >= LINE / INSIDE * span
    assert view._words["count"].data["text"] == [f"counted: {simulation.blocks / 2:g} on average"]


def test_dragging_moves_the_hill_of_the_formula_under_the_pointer():
    view = PathLengthsView(PathLengths(blocks=54))
    changed = {}
    view.change = changed.__setitem__
    for x, gain in ((9.0, 0.2), (0.0, 0.01), (-3.0, 0.01), (40.0, 1.0), (54.0, 1.0)):
        view._on_pointer(SimpleNamespace(x=x))
        assert changed["gain"] == gain
