"""Bars that begin with the branches and end with the shortcuts, and what is written at their ends."""

import numpy as np
import pytest

from app.views.shortcuts.projection import ProjectionView, short
from sims.simulations.shortcuts.projection import Projection
from tests.showing import showing


def test_a_bar_goes_as_far_beyond_the_branches_as_shortcuts_add():
    simulation = Projection(kind="bottleneck", blocks=5)
    frame = simulation.compute()
    view = showing(ProjectionView(simulation), frame)
    bars = view._bars["parameters"]
    added = 100 * frame["shortcut_parameters"] / frame["branch_parameters"]
    assert bars._parts["shortcut"].data["right"].tolist() == added.tolist()
    assert bars._parts["shortcut"].data["left"].tolist() == bars._parts["branch"].data["right"].tolist() == [0] * 3
    assert "+" not in bars._base.data["text"][0]
    assert bars._words.data["text"][1].endswith("%")
    assert bars.figure.x_range.end > added.max()


def test_the_areas_of_the_strip_are_the_parameters_of_the_bars():
    simulation = Projection(kind="bottleneck", blocks=18)
    frame = simulation.compute()
    view = showing(ProjectionView(simulation), frame)
    sums = {}
    for part, source in view._strip._areas.items():
        data = {key: np.asarray(column) for key, column in source.data.items()}
        sums[part] = float(((data["right"] - data["left"]) * (data["top"] - data["bottom"])).sum())
    assert len(view._strip._areas["branch"].data["left"]) == 54
    branch, (_, at_changes, everywhere) = frame["branch_parameters"][0], frame["shortcut_parameters"]
    assert sums == pytest.approx({"branch": branch, "changes": at_changes, "same": everywhere - at_changes})
    assert max(source.data["top"].max() for source in view._strip._areas.values()) < view._strip.figure.y_range.end


def test_counts_are_words():
    assert [short(950), short(12_300), short(4.56e6), short(2e9)] == [
        "950",
        "12.3 thousand",
        "4.56 million",
        "2 billion",
    ]
