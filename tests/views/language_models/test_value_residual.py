"""Models whose ribbons are as wide as their weights, differences to own values with a name at each end, and weights by
layer."""

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from app.pictures.base.questions import KNOWN
from app.pictures.maps.value_ribbons import WIDTH
from app.views.language_models.value_residual import ValueResidualView
from sims.contract.frame import Frame
from sims.contract.wording import number
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


def widths(source: ColumnDataSource) -> list[float]:
    """How wide each ribbon of a source is where it begins: its outline comes back to there at its end."""
    return [abs(float(ys[-1] - ys[0])) for ys in source.data["ys"]]


def test_ribbons_are_as_wide_as_the_weights_of_their_values(run: tuple[ValueResidual, Frame]) -> None:
    ribbons, frame = shown(*run)._ribbons, run[1]
    for whose in ("first", "own"):
        assert widths(ribbons.learned[whose]) == pytest.approx(WIDTH * frame[whose])
        assert widths(ribbons.begun[whose]) == pytest.approx([WIDTH / 2] * 3)
        assert ribbons.numbers["learned"][whose].data["text"] == [number(weight, 2) for weight in frame[whose]]
    # Own values in all four layers of the first model; of the others, the values of the first layer.
    assert widths(ribbons.fixed["own"]) == pytest.approx([WIDTH] * 4)
    assert widths(ribbons.fixed["first"]) == pytest.approx([WIDTH] * 5)
    assert len(ribbons.lanes.data["xs"]) == 2


def test_learned_weights_and_losses_wait_for_the_prediction(run: tuple[ValueResidual, Frame]) -> None:
    ribbons = shown(*run)._ribbons
    waiting = {mark.data_source.id for mark in ribbons.figure.renderers if KNOWN not in mark.tags}
    learned = (*ribbons.learned.values(), *ribbons.numbers["learned"].values())
    assert waiting == {source.id for source in (*learned, ribbons.said)}


def test_before_the_first_step_no_form_is_ahead() -> None:
    simulation = ValueResidual(blocks=4, training_steps=100, seeds=1)
    view = shown(simulation, simulation.frame(simulation.start()))
    for form, bands in view._bands.items():
        assert abs(float(bands.source.data[form][0])) < 0.05
