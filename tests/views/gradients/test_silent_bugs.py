"""Both networks with the bug at its place, and curves of the loss and of the angle with their words at their ends."""

import math

import pytest

from app.views.gradients.silent_bugs import DOT, PLACES, STRIP, SilentBugsView, _along
from sims.simulations.gradients.silent_bugs import BUGS, KINDS, SilentBugs
from tests.showing import showing


def shown(training: SilentBugs, steps: int = 0) -> SilentBugsView:
    return showing(SilentBugsView(training), training.frame(training.advance(training.start(), steps)))


def test_a_line_is_the_median_of_its_seeds_and_has_its_name_at_its_end():
    training = SilentBugs(seeds=1, depth=1, training_steps=150)
    frame = training.frame(training.advance(training.start(), 20))
    view = showing(SilentBugsView(training), frame)
    for bands, ends, name in ((view._losses, view._ends, "loss"), (view._cosines, view._cosine_ends, "cosine")):
        for kind, words in KINDS.items():
            assert bands.source.data[kind].tolist() == frame[f"{kind}_{name}"].tolist()
            assert ends._sources[kind].data["text"] == [words]
    assert view._ends._sources["guess"].data["text"] == ["guessing"]
    for kind in KINDS:
        assert view._bars[kind].data["right"] == [_along(float(frame[f"{kind}_loss"][-1]))]
        (angle,) = view._arrows[kind].data["angle"]
        assert math.cos(angle) == pytest.approx(float(frame[f"{kind}_cosine"][-1]))


def test_every_bug_has_a_place():
    assert set(PLACES) == set(BUGS.values())


@pytest.mark.parametrize(
    ("bug", "places", "mark"),
    [("skip-1", [0.5, 2.5], "×"), ("skips", [0.5, 1.5, 2.5, 3.5], "×"), ("average", [1, 2, 3, 4], "½")],
)
def test_a_mark_is_where_the_bug_is_and_what_is_lost_goes_no_further(bug: str, places: list[float], mark: str) -> None:
    view = shown(SilentBugs(seeds=1, depth=2, bug=bug, training_steps=150))
    marks = view._marks.data
    left, right = STRIP
    assert marks["x"] == pytest.approx([left + (right - left) * place / 4 for place in places])
    assert marks["text"] == [mark] * len(places)
    lost = places if bug.startswith("skip") else []
    assert len(view._strips.arcs["lost"].data["x"]) == len(lost)
    signal = view._signal.source.data
    assert sum(end < 1 for end in signal["end"]) == len(lost)
    assert set(signal["moment"]) == {1, 2, 3, 4}
    assert (min(signal["size"]) < DOT) == (bug == "average")
