"""Walks back through two networks on one scale, blocks lit by their gradients, and which picture is the stage."""

import numpy as np
import pytest

from app.pictures.maps.lit_blocks import LEAST, light
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


@pytest.mark.parametrize(("initialization", "title"), [("he", "Plain: from"), ("zero-last", "Residual: what comes")])
def test_the_stage_is_the_walks_or_where_last_layers_begin_at_zero_the_blocks(initialization, title):
    view = NetworkJacobiansView(NetworkJacobians(initialization=initialization))
    assert view.draw()[0].title.text.startswith(title)
    titles = [figure.title.text for figure in [*view.draw(), *view.measures()]]
    assert len(titles) == len(set(titles)) == 4


def test_matrices_without_a_gradient_have_no_light_until_a_step_gives_them_one() -> None:
    simulation = NetworkJacobians(blocks=4, branch="two-layer", initialization="zero-last", seeds=1)
    state = simulation.start()
    view = showing(NetworkJacobiansView(simulation), simulation.frame(state))
    blocks = view._blocks
    assert blocks.lights["first"].data["alpha"].tolist() == [0.0] * 4
    assert len(blocks._zeros.data["x"]) == 4
    assert (blocks.lights["last"].data["alpha"] > 0.5).all()
    assert "first matrix\nexactly 0" in blocks._labels.data["text"]
    assert "exactly 0 in the first ones" in simulation.describe(simulation.frame(state))
    later = simulation.frame(simulation.advance(state, 2))
    view.update(later)
    assert (blocks.lights["first"].data["alpha"] > LEAST).all()
    assert not len(blocks._zeros.data["x"])
    assert "exactly" not in simulation.describe(later)


def test_the_light_of_a_gradient_is_logarithmic_between_its_ends() -> None:
    lights = light(np.array([0.0, 1e-9, 1e-3, 10**-1.5, 1.0, 1e9, np.inf, np.nan]))
    assert lights == pytest.approx([0, LEAST, LEAST, (1 + LEAST) / 2, 1, 1, 1, 0])


def test_blocks_of_one_layer_have_one_row_of_matrices() -> None:
    simulation = NetworkJacobians(**shortest(NetworkJacobians))
    view = showing(NetworkJacobiansView(simulation), simulation.frame(simulation.start()))
    assert [text.split("\n")[0] for text in view._blocks._labels.data["text"]] == ["stream", "matrix"]
    assert not len(view._blocks.lights["last"].data["x"])
