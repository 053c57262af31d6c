"""The twin of the figure `dataflow` in JavaScript computes what Python computes, and shows it alike.

NumPy leaves products of matrices to BLAS and singular values to LAPACK, and sines have the last digit of a library, so
numbers may differ by one part in 10¹², and numbers that are almost 0 by as much. Sentences and words are compared as
they are: most settings have six digits, so that no number is at the boundary between two roundings.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from bokeh.events import Pan, PanEnd, PanStart, Tap

from app.views.shortcuts.dataflow import DataflowView
from sims.contract.frame import Frame
from sims.contract.parameters import to_text
from sims.simulations.shortcuts.dataflow import EDITABLE, MOMENTS, Dataflow
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Calculated, Case, Pairs

CASES = drawn(80)
EVENTS = {"panstart": PanStart, "pan": Pan, "panend": PanEnd, "tap": Tap}
CIRCUIT, ARROWS = "_circuit.figure", "_arrows.figure"
PLACES = ((0.7, 4.9), (0.7, 1.6), (2.0, 4.9), (2.0, 3.7), (2.0, 2.8), (9.3, 4.3), (9.3, 2.2), (7.5, 4.9), (6.0, 1.6))
"""Near the numbers that can be dragged, a plus sign, and the last operation"""


def settings(random: Random) -> dict[str, Any]:
    def number(most: float, least: float) -> float:
        return random.choice([0.0, *[float(to_text(random.uniform(least, most))) for _ in range(9)]])

    own = {name: number(-2, 2) for name in EDITABLE}
    return own | {
        "moment": random.randrange(len(MOMENTS)),
        "wiring": random.choice(["plain", "residual"]),
        "ending": random.choice(["linear", "relu"]),
        "strength": random.choice([1.0, number(0, 4)]),
    }


def gestures(random: Random) -> tuple[Case, ...]:
    """Drags and presses in and around the circuit and the arrows, and one elsewhere."""
    events = []
    for _ in range(6):
        x, y = random.choice(PLACES)
        x, y = x + random.uniform(-0.7, 0.7), y + random.uniform(-0.6, 0.6)
        for kind in ("panstart", "pan", "pan", "tap", random.choice(["pan", "panend"]), "pan"):
            height = y if kind in ("panstart", "tap") else random.choice([None, random.uniform(-2, 8)])
            events.append({"origin": CIRCUIT, "event_name": kind, "x": random.choice([x, x, x, None]), "y": height})
    place = {"origin": ARROWS, "event_name": random.choice(["tap", "pan"]), "x": random.uniform(-3, 3)}
    return (
        *events,
        place | {"y": random.choice([None, random.uniform(-3, 3)])},
        events[3] | {"origin": "_ellipse_figure"},
    )


@dataclass(frozen=True)
class Shown(Calculated):
    """A case in a view whose circuit reads some settings itself, from the simulation that it began with."""

    view: Any = None

    def frame(self) -> Frame:
        self.view._circuit._simulation = self.simulation
        return super().frame()


@pytest.fixture(scope="module")
def view() -> DataflowView:
    return DataflowView(Dataflow())


@pytest.fixture(scope="module")
def cases(view: DataflowView) -> list[Calculated]:
    random = Random(0)
    moments = [{"moment": moment, "wiring": wiring} for moment in range(8) for wiring in ("plain", "residual")]
    drawn = [*moments, {"x1": 0.0, "x2": 0.0}, *(settings(random) for _ in range(CASES))]
    return [Shown(Dataflow(**values), gestures(random), view) for values in drawn]


@pytest.fixture(scope="module")
def pairs(view: DataflowView, cases: list[Calculated]) -> Pairs:
    return figures.compared(view, cases)


class TestTwin(figures.SamePicture):
    alike = staticmethod(figures.near)
    equal = staticmethod(figures.near_in_texts)


def test_drags_and_presses_set_the_same(view: DataflowView, cases: list[Calculated], pairs: Pairs) -> None:
    answers = []
    for case, (_expected, twin) in zip(cases, pairs, strict=True):
        view.simulation = view._circuit._simulation = case.simulation
        expected = [pulled(view, gesture) for gesture in case.gestures]
        assert twin["pointed"] == expected
        answers += expected
    assert len({str(answer) for answer in answers}) > CASES


def pulled(view: DataflowView, gesture: Case) -> dict[str, str] | None:
    """What Python makes of a gesture, however soon after the last one it comes."""
    changes: dict[str, str] = {}
    view.change_all = lambda values: changes.update({name: to_text(value) for name, value in values.items()})  # type: ignore[method-assign]
    view.change = lambda name, value: changes.update({name: to_text(value)})  # type: ignore[method-assign]
    if gesture["origin"] == CIRCUIT:
        view._circuit._throttle.allows = lambda: True  # type: ignore[method-assign]
        figure = view._circuit.figure
        figure._trigger_event(EVENTS[gesture["event_name"]](figure, x=gesture["x"], y=gesture["y"]))
    elif gesture["origin"] == ARROWS and None not in (gesture["x"], gesture["y"]):
        view._point(gesture["x"], gesture["y"])
    return changes or None
