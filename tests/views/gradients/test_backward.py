"""The view of the block: what each moment compares, and where a press leads."""

import numpy as np
import pytest

from app.pictures.maps.line_tensors import MOST_CODE
from app.views.gradients.backward import BackwardView, beside
from sims.simulations.gradients.backward import BUGS, MOMENTS, Backward
from tests.showing import showing
from tests.tiers import first


def view_of(**settings):
    simulation = Backward(**settings)
    return showing(BackwardView(simulation), simulation.compute())


@pytest.mark.parametrize("arrangement", ["pre", "post"])
@pytest.mark.parametrize("moment", first(6, range(1, MOMENTS + 1)))
def test_every_moment_shows_code_and_maps(moment, arrangement):
    view = view_of(moment=moment, arrangement=arrangement)
    lines = sum(len(part.split("\n")) for part in view._code._code.seen("text"))
    assert 1 <= lines <= MOST_CODE
    assert len(view._tensors._images.seen("image")) >= 2


@pytest.mark.parametrize("arrangement", ["pre", "post"])
@pytest.mark.parametrize("bug", first(2, BUGS.values()))
def test_no_line_of_code_is_left_out(bug, arrangement):
    view = view_of(bug=bug, arrangement=arrangement)
    written, shown = view.simulation.code, view._code._code.source.data
    for moment in range(1, MOMENTS + 1):
        seen = [text for text, at in zip(shown["text"], shown["first"], strict=True) if at == moment]
        assert "".join(seen).replace(" ", "") == "".join(written(moment)).replace(" ", "")


def test_a_merge_says_whether_its_sum_is_one():
    assert "=" in view_of(moment=15)._tensors._words.seen("text")
    wrong = view_of(moment=15, bug="skip-2")
    assert "≠" in wrong._tensors._words.seen("text")
    assert wrong._code._code.seen("text")[0].startswith("d.r = ")
    assert wrong._code._heads.seen("text") == ["back, line 6: two routes meet, and one is lost"]


def test_a_merge_of_wrong_gradients_is_a_sum_all_the_same():
    tensors = view_of(moment=20, bug="skip-2")._tensors
    assert "=" in tensors._words.seen("text")
    assert len(tensors._frames[False].seen("l")) == 1


def test_an_addition_passes_on_the_same_map_twice():
    one, other, *checks = view_of(moment=11)._tensors._images.seen("image")
    np.testing.assert_array_equal(one, other)
    for check in checks:
        np.testing.assert_allclose(check, one, atol=1e-6)


def test_the_page_plays_the_drawing_with_the_code_that_every_screen_shows():
    view = view_of()
    plays = [tag["play"] for figure in view.draw() for tag in figure.tags if isinstance(tag, dict) and "play" in tag]
    assert len(plays) == 1
    assert len(plays[0]["timed"]) == len(view._plan.timed) + len(view._code.timed) + len(view._tensors.timed)
    assert len(plays[0]["travelers"]) == len(view._plan.screens)


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
