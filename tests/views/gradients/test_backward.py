"""The view of the block: what each moment compares, and where a press leads."""

import numpy as np
import pytest

from app.views.gradients.backward import BackwardView, beside
from sims.simulations.gradients.backward import MOMENTS, Backward
from tests.showing import showing
from tests.tiers import first


def view_of(**settings):
    simulation = Backward(**settings)
    return showing(BackwardView(simulation), simulation.compute())


@pytest.mark.parametrize("arrangement", ["pre", "post"])
@pytest.mark.parametrize("moment", first(6, range(1, MOMENTS + 1)))
def test_every_moment_shows_code_and_maps(moment, arrangement):
    tensors = view_of(moment=moment, arrangement=arrangement)._tensors
    assert tensors._code.seen("text")
    assert len(tensors._images.seen("image")) >= 2


def test_a_merge_says_whether_its_sum_is_one():
    assert "=" in view_of(moment=15)._tensors._words.seen("text")
    wrong = view_of(moment=15, bug="skip-2")._tensors
    assert "≠" in wrong._words.seen("text")
    assert wrong._code.seen("text")[0].startswith("d.r = ")


def test_a_merge_of_wrong_gradients_is_a_sum_all_the_same():
    tensors = view_of(moment=20, bug="skip-2")._tensors
    assert "=" in tensors._words.seen("text")
    assert len(tensors._frames[False].seen("l")) == 1


def test_an_addition_passes_on_the_same_map_twice():
    arriving, one, other, *_checks = view_of(moment=11)._tensors._images.seen("image")
    np.testing.assert_array_equal(arriving, one)
    np.testing.assert_array_equal(arriving, other)


def test_errors_are_triangles_where_they_are_wrong():
    view = view_of(bug="skip-2")
    frame = view.simulation.compute()
    sources = view._errors._sources
    assert len(sources["wrong"].data["x"]) == frame.results["wrong"]
    assert sum(len(source.data["x"]) for source in sources.values()) == frame.results["gradients"]
    assert len(view._moved._sources["none"].data["x"]) == frame.results["gradients"]


def test_heads_are_side_by_side():
    joined = beside(np.stack([np.ones((4, 4)), 2 * np.ones((4, 4))]))
    assert joined.shape == (4, 9)
    np.testing.assert_array_equal(joined[0], [1, 1, 1, 1, 0, 2, 2, 2, 2])


@pytest.mark.parametrize(("moment", "line", "expected"), [(3, 7, 7), (7, 7, 14), (15, 3, 18), (18, 3, 3)])
def test_a_press_goes_to_the_line_and_then_to_its_way_back(moment, line, expected):
    view, changes = view_of(moment=moment), []
    view.change = lambda name, value: changes.append((name, value))
    view._on_line(line)
    assert changes == [("moment", expected)]
