"""The ring stands at the output that is asked, and a press moves it."""

import pytest

from app.views.language_models.attention_leaks import AttentionLeaksView
from sims.simulations.language_models.attention_leaks import AttentionLeaks


@pytest.fixture
def view():
    attention_leaks_view = AttentionLeaksView(AttentionLeaks(sequence=3, token=5))
    attention_leaks_view.figures()
    attention_leaks_view.heard = []
    attention_leaks_view.change_all = attention_leaks_view.heard.append
    return attention_leaks_view


def test_the_ring_stands_at_the_output_that_is_asked(view):
    view.update(view.simulation.compute())
    assert view._ring.data == {"x": [5], "y": [3]}


def test_a_press_asks_another_output_and_one_beside_the_grid_none(view):
    view._ask(1.4, 3.6)
    for x, y in ((0.2, 1), (9, 1), (1, 5), (None, 1), (float("nan"), 1), ("2", 1)):
        view._ask(x, y)
    assert view.heard == [{"token": 1, "sequence": 4}]
