"""The tents of the six stacks: one label where two lie on each other, and words where nothing is measured."""

import numpy as np
import pytest

from app.views.costs.memory import MemoryView
from sims.simulations.costs.memory import Memory
from tests.showing import showing


@pytest.fixture
def simulation():
    return Memory(depth=4, width=32, batch=32)


def shown(simulation, frame):
    view = showing(MemoryView(simulation), frame)
    return view, {kind: source.data["text"] for kind, source in view._labels._sources.items()}


def test_plain_and_residual_share_a_label(simulation):
    view, labels = shown(simulation, simulation.compute())
    assert labels["plain"] == []
    assert labels["residual"][0].startswith("plain =\nresidual ")
    assert labels["reversible"][0].startswith("reversible ")
    early = {kind: source.data["text"][0] for kind, source in view._early_labels._sources.items()}
    assert early["plain"].startswith("plain ")
    assert early["dense"] == labels["dense"][0]
    assert view._waiting.data["text"] == []
    np.testing.assert_array_equal(view._curves.data["plain"], view._curves.data["residual"])


def test_before_the_first_stack_words_say_so(simulation):
    view, labels = shown(simulation, simulation.frame(simulation.start()))
    assert set(map(tuple, labels.values())) == {()}
    assert view._waiting.data["text"] == ["not measured yet"]


def test_what_is_not_measured_yet_has_no_label(simulation):
    state = simulation.advance(simulation.start(), 1)
    _view, labels = shown(simulation, simulation.frame(state))
    assert [kind for kind, text in labels.items() if text] == ["residual"]


def test_names_leave_room_for_the_picture_on_a_phone(simulation):
    _view, labels = shown(simulation, simulation.compute())
    lines = [line for texts in labels.values() for text in texts for line in text.split("\n")]
    assert max(map(len, lines)) <= len("checkpoints 1,000")
