"""Differences to own values with a name at each end, and weights by layer."""

import numpy as np
import pytest

from app.views.language_models.value_residual import ValueResidualView
from sims.contract.frame import Frame
from sims.simulations.language_models.value_residual import ValueResidual
from tests.showing import showing


@pytest.fixture(scope="module")
def run() -> tuple[ValueResidual, Frame]:
    simulation = ValueResidual(blocks=4, training_steps=100, seeds=1)
    return simulation, simulation.frame(simulation.advance(simulation.start(), 10))


def shown(simulation: ValueResidual, frame: Frame) -> ValueResidualView:
    return showing(ValueResidualView(simulation), frame)


@pytest.mark.exhaustive
def test_every_line_has_its_name_at_its_end(run: tuple[ValueResidual, Frame]) -> None:
    view = shown(*run)
    labels = {form: source.data["text"][0] for form, source in view._losses._ends._sources.items()}
    assert labels == {"plain": "own", "learned": "own + first", "shared": "first only"}
    for ends in view._ends.values():
        words = [source.data["text"][0].split()[0] for source in ends._sources.values()]
        assert words == ["median", "lowest", "highest"]


@pytest.mark.exhaustive
def test_weights_are_at_the_layers_that_have_them(run: tuple[ValueResidual, Frame]) -> None:
    view = shown(*run)
    source = view._weights._bands.source
    np.testing.assert_array_equal(source.data["x"], [2, 3, 4])
    np.testing.assert_array_equal(source.data["own"], run[1]["own"])
    assert view._weights.figure.xaxis[0].ticker.ticks == [1, 2, 3, 4]


def test_before_the_first_step_no_form_is_ahead() -> None:
    simulation = ValueResidual(blocks=4, training_steps=100, seeds=1)
    view = shown(simulation, simulation.frame(simulation.start()))
    for form, bands in view._bands.items():
        assert abs(float(bands.source.data[form][0])) < 0.05
