"""The picture of surgery shows the chosen operation under its own names."""

import pytest

from app.views.theories.surgery import TITLES, SurgeryView
from sims.contract.bands import ENDINGS
from sims.simulations.theories.surgery import Surgery
from tests.showing import showing


@pytest.fixture(scope="module")
def begun():
    simulation = Surgery(depth=14, seeds=1, training_steps=150)
    return simulation, simulation.frame(simulation.start())


@pytest.mark.exhaustive
@pytest.mark.parametrize("operation", ["delete", "swap"])
def test_the_curves_are_those_of_the_operation(begun, operation):
    simulation, frame = begun
    simulation.operation = operation
    view = showing(SurgeryView(simulation), frame)
    simulation.operation = "delete"
    assert [view._one.title.text, view._several.title.text] == [TITLES[operation][0], TITLES[operation][2]]
    for name in ("plain", "residual"):
        for ending in ENDINGS.values():
            assert list(view._singles.source.data[name + ending]) == frame[f"{name}_{operation}{ending}"].tolist()
            assert list(view._many.source.data[name + ending]) == frame[f"{name}_{operation}_several{ending}"].tolist()
