"""Walks back through two networks on one scale; and which picture is the stage."""

import pytest

from app.views.gradients.network_jacobians import WALKS, NetworkJacobiansView
from sims.contract.wording import number
from sims.simulations.gradients.network_jacobians import NetworkJacobians
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def begun():
    simulation = NetworkJacobians(**shortest(NetworkJacobians))
    return simulation, simulation.frame(simulation.start())


def test_every_walk_is_named_with_its_end_and_both_networks_have_one_scale(begun):
    simulation, frame = begun
    view = showing(NetworkJacobiansView(simulation), frame)
    for name, ends in view._ends.items():
        for walk, (words, _color, _dash) in WALKS.items():
            assert ends._sources[walk].data["text"] == [f"{words} {number(frame[f'{name}_{walk}'][-1], 2)}"]
    plain, residual = (figure.y_range for figure in view._walks.values())
    assert (plain.start, plain.end) == (residual.start, residual.end)


@pytest.mark.parametrize(("initialization", "title"), [("he", "Plain: from"), ("zero-last", "Residual: the grad")])
def test_the_stage_is_the_walks_or_where_last_layers_begin_at_zero_the_bars(initialization, title):
    view = NetworkJacobiansView(NetworkJacobians(initialization=initialization))
    assert view.draw()[0].title.text.startswith(title)
    titles = [figure.title.text for figure in [*view.draw(), *view.measures()]]
    assert len(titles) == len(set(titles)) == 4
