"""Tables of what was learned: equal weights half full, lanes as full as they have dye, and words below."""

import numpy as np
import pytest

from app.views.wiring.stream_forms import StreamFormsView
from sims.contract.frame import Frame
from sims.simulations.wiring.stream_forms import StreamForms
from tests.showing import showing


@pytest.fixture(scope="module")
def begun() -> tuple[StreamForms, Frame]:
    simulation = StreamForms(blocks=4, seeds=1)
    return simulation, simulation.frame(simulation.start())


@pytest.mark.exhaustive
def test_before_the_first_step_all_outputs_are_equal(begun: tuple[StreamForms, Frame]) -> None:
    simulation, frame = begun
    view = showing(StreamFormsView(simulation), frame)
    for form in ("sum", "static", "attention"):
        cells, negative = view._back._cells[form]
        assert cells.data["strength"] == pytest.approx(np.full(15, 0.5), abs=1e-6)
        assert len(negative.data["x"]) == 0
    free, _ = view._lanes._cells["free"]
    assert sorted(free.data["strength"].tolist())[-4:] == [1, 1, 1, 1]
    assert all(text.endswith("not trained yet") for text in view._back._words.data["text"])
