"""What every simulation draws: named figures that move with their frames and never need new models."""

from itertools import count

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.models import DataRange1d, Plot

from app.bokeh_internals.identifiers import identified
from app.views.base import View, view_of
from sims.contract import parameters
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from tests.every_simulation.frames import (
    SIMULATIONS,
    TRAININGS,
    differ,
    every,
    every_in_time,
    other_frames,
    two_frames,
    usual,
    usual_frame,
)
from tests.messages import assert_moves, message
from tests.settings import ends
from tests.tiers import first

PICTURES = {"explorer": {"waiting": True}, "sum_weights": {"waiting": True}}
"""Arguments of `assert_moves`: the explorer's second network waits until it is asked for, and so do the figures of the
weights on the skips."""


UNSEEN = {("recipes", "blocks"), ("recipes", "vocabulary")}
"""Controls that change numbers which are not in the picture, at the other controls' defaults: totals that stand in the
text."""


@every
def test_its_figures_have_names_and_axes_with_fixed_ranges(name: str) -> None:
    simulation = usual(name)
    view = view_of(name, simulation)
    figures = view.figures()
    assert figures
    # The browser keeps to the first ends of a `DataRange1d`, whatever an update says later.
    models = {reference for figure in figures for reference in figure.references()}
    ranges = [model for model in models if isinstance(model, DataRange1d)]
    assert all(model.start is None or np.isnan(model.start) for model in ranges)
    view.update(usual_frame(name))
    for figure in figures:
        # A surface is a group: its picture inside has the role and the sentence, beside buttons. So is a figure into
        # which the page puts a button, which nobody finds in an image.
        has_button = any(isinstance(tag, dict) and {"play", "race"} & tag.keys() for tag in figure.tags)
        assert figure.html_attributes["role"] == ("img" if isinstance(figure, Plot) and not has_button else "group")
        assert figure.html_attributes["aria-label"]
        if isinstance(figure, Plot):
            assert figure.title.text in figure.html_attributes["aria-label"]


@every_in_time
def test_its_picture_moves_with_its_frames(name: str) -> None:
    one, other = two_frames(name)
    assert_moves(view_of(name, SIMULATIONS[name]()), one, other, **PICTURES.get(name, {}))


def called(name: str, simulation: Simulation) -> dict[str, str]:
    """Identifier → kind of all models of a picture, as a page and a session call them."""
    with identified(name):
        figures = view_of(name, simulation).figures()
    return {model.id: type(model).__name__ for figure in figures for model in figure.references()}


@pytest.mark.exhaustive
@every
def test_its_models_are_called_the_same_whatever_the_settings(name: str) -> None:
    """A session may begin with other settings than the picture on the page that it goes on with."""
    choices = {
        control: ends(SIMULATIONS[name].param[control]) for control in parameters.control_names(SIMULATIONS[name])
    }
    expected = called(name, SIMULATIONS[name]())
    for control, values in choices.items():
        for value in values:
            assert called(name, SIMULATIONS[name](**{control: value})) == expected, (control, value)


@every_in_time
def test_its_updates_make_no_models(name: str) -> None:
    view = view_of(name, SIMULATIONS[name]())
    document = Document()
    for figure in view.figures():
        document.add_root(figure)
    ids = {model.id for model in document.models}
    for settings, frame in two_frames(name):
        view.simulation.param.update(**settings)
        view.update(frame)
        assert {model.id for model in document.models} == ids


@pytest.mark.parametrize("lasting", [0, 1], ids=["a view that never moves", "a view that moves once"])
@pytest.mark.parametrize("name", ["degradation", "paths"])
def test_a_dead_view_is_noticed(name: str, lasting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(name, SIMULATIONS[name]())
    update, calls = type(view).update, count()

    def dying(self: View, frame: Frame) -> None:
        if next(calls) < lasting:
            update(self, frame)

    monkeypatch.setattr(type(view), "update", dying)
    with pytest.raises(AssertionError, match="looks like the first" if lasting else "changes nothing|looks like"):
        assert_moves(view, *two_frames(name), **PICTURES.get(name, {}))


@pytest.mark.parametrize(
    ("name", "control"),
    [
        case
        for name, kind in SIMULATIONS.items()
        if name not in TRAININGS
        for case in first(2, ((name, control) for control in parameters.control_names(kind)))
    ],
)
def test_a_control_that_changes_the_numbers_changes_the_picture(name: str, control: str) -> None:
    simulation = SIMULATIONS[name]()
    frame, view = simulation.compute(), view_of(name, simulation)
    figures = view.figures()
    view.update(frame)
    before = message(figures)
    different, moved = False, False
    for settings, other in other_frames(SIMULATIONS[name], control):
        simulation.param.update(**settings)
        view.update(other)
        different |= differ(frame, other)
        moved |= message(figures) != before
    assert moved or not different or (name, control) in UNSEEN
