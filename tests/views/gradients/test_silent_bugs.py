"""Curves of the loss and of the angle, with their words at their ends."""

from app.views.gradients.silent_bugs import SilentBugsView
from sims.simulations.gradients.silent_bugs import KINDS, SilentBugs
from tests.showing import showing


def test_a_line_is_the_median_of_its_seeds_and_has_its_name_at_its_end():
    training = SilentBugs(seeds=1, depth=1, training_steps=150)
    frame = training.frame(training.advance(training.start(), 20))
    view = showing(SilentBugsView(training), frame)
    for bands, ends, name in ((view._losses, view._ends, "loss"), (view._cosines, view._cosine_ends, "cosine")):
        for kind, words in KINDS.items():
            assert bands.source.data[kind].tolist() == frame[f"{kind}_{name}"].tolist()
            assert ends._sources[kind].data["text"] == [words]
    assert view._ends._sources["guess"].data["text"] == ["guessing"]
