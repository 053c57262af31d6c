"""Seven lines with their names, of which one is thick; a press on a line chooses it."""

import numpy as np
import pytest
from bokeh.events import Tap

from app.views.norm_placement.norms import LOOKS, NormsView
from sims.comparisons.placings import PLACINGS
from sims.contract.frame import Frame
from sims.simulations.norm_placement.norms import Norms
from tests.showing import showing


@pytest.fixture(scope="module")
def begun() -> Frame:
    simulation = Norms(depth=8, seeds=1)
    return simulation.frame(simulation.start())


def shown(frame: Frame, placing: str) -> NormsView:
    return showing(NormsView(Norms(depth=8, seeds=1, placing=placing)), frame)


def test_every_placement_has_a_look() -> None:
    assert set(LOOKS) == set(PLACINGS)


def test_no_two_placements_have_the_same_color() -> None:
    # Before the prediction all lines are dotted, and of two labels beside each other only colors say which is which.
    assert len({color for color, _dash in LOOKS.values()}) == len(LOOKS)


@pytest.mark.parametrize("placing", PLACINGS)
def test_the_chosen_line_alone_is_thick_and_has_its_law(begun: Frame, placing: str) -> None:
    view = shown(begun, placing)
    thick = view._stream._thick.data
    assert [name for name in PLACINGS if np.isfinite(thick[name]).any()] == [placing]
    np.testing.assert_array_equal(view._stream._dotted.data["y"], begun["law"][list(PLACINGS).index(placing)])


def test_every_line_is_named_with_its_end(begun: Frame) -> None:
    view = shown(begun, "peri")
    texts = [source.data["text"][0] for source in view._stream._ends._sources.values()]
    assert sum(text.endswith(" 1") for text in texts) == 3
    assert len(texts) == len(PLACINGS)


def test_before_the_prediction_every_law_is_drawn_and_named(begun: Frame) -> None:
    lines = shown(begun, "peri")._stream
    for name, law in zip(PLACINGS, begun["law"], strict=True):
        np.testing.assert_array_equal(lines._before.data[name], law)
    [pre] = lines._before_ends._sources["pre"].data["text"]
    assert pre == f"{PLACINGS['pre'].label} 17"


def test_a_press_chooses_the_nearest_line(begun: Frame) -> None:
    view = shown(begun, "peri")
    changes: dict[str, str] = {}
    view.change = lambda name, value: changes.update({name: value})
    pre, post = (float(begun["stream_now"][list(PLACINGS).index(name), -1]) for name in ("pre", "post"))
    figure = view._stream.figure
    figure._trigger_event(Tap(figure, x=8.0, y=1.05 * pre))
    assert changes == {"placing": "pre"}
    figure._trigger_event(Tap(figure, x=8.0, y=0.9 * post))
    assert changes["placing"] in ("post", "deep", "sphere")
    changes.clear()
    figure._trigger_event(Tap(figure, x=8.0, y=0.0))
    assert changes == {}
