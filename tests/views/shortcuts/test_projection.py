"""Bars that begin with the branches and end with the shortcuts, and what is written at their ends."""

from app.views.shortcuts.projection import ProjectionView, short
from sims.simulations.shortcuts.projection import Projection


def test_a_bar_ends_where_branches_and_shortcuts_end():
    simulation = Projection(kind="bottleneck", blocks=5)
    view, frame = ProjectionView(simulation), simulation.compute()
    view.figures()
    view.update(frame)
    bars = view._bars["parameters"]
    whole = frame["branch_parameters"] + frame["shortcut_parameters"]
    assert bars._parts["shortcut"].data["right"].tolist() == whole.tolist()
    assert bars._parts["shortcut"].data["left"].tolist() == bars._parts["branch"].data["right"].tolist()
    assert "+" not in bars._words.data["text"][0]
    assert bars._words.data["text"][2].endswith("%")
    assert bars.figure.x_range.end > whole.max()


def test_counts_are_words():
    assert [short(950), short(12_300), short(4.56e6), short(2e9)] == [
        "950",
        "12.3 thousand",
        "4.56 million",
        "2 billion",
    ]
