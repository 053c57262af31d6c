"""The twin of the figure `paths` in JavaScript computes what Python does, to the last bit, and shows it alike.

A logarithmic axis has the last digit of a library, so numbers of the picture may differ by one part in 10¹².
"""

from random import Random
from typing import Any

import pytest
from bokeh.events import Pan, PanStart, Tap

from app.views.gradients.paths import PathsView
from sims.contract.parameters import to_text
from sims.simulations.gradients.paths import HIGHEST, LOWEST, MOST, Paths
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Calculated, Case, Pairs

CASES = drawn(60)
EVENTS = {"panstart": PanStart, "pan": Pan, "tap": Tap}
GAINS = "_diagram.gains"
TOTALS = ((1, -1.0), (3, 0.0), (10, 1.5), (10, -2.5), (10, -2.0), (2, -0.9), (9, 0.1))
"""Blocks and gains with a total of 0, of 1, large and small ones, and signs that change"""


def gain(random: Random) -> float:
    """One that a drag can set, or any other with the digits of an address."""
    return random.choice([random.randint(-50, 30) / 20, float(to_text(random.uniform(LOWEST, HIGHEST))), 0.0, -1.0])


def settings(random: Random) -> dict[str, Any]:
    own = {f"gain_{block + 1}": gain(random) for block in range(MOST)}
    return {"blocks": random.randint(1, MOST), "gain": gain(random), "alike": random.random() < 0.4} | own


def gestures(random: Random) -> tuple[Case, ...]:
    """Drags from a block in and around the picture, and events elsewhere."""
    drags = []
    for _ in range(4):
        x, kinds = random.choice([random.uniform(-1, 11), 0, 0.5, None]), ("panstart", "pan", "tap", "pan")
        heights = (0.025, -0.075, None, random.uniform(-4, 3), random.uniform(-1, 1))
        drags += [{"origin": GAINS, "event_name": kind, "x": x, "y": random.choice(heights)} for kind in kinds]
    return *drags, drags[0] | {"origin": "_diagram.paths"}


@pytest.fixture(scope="module")
def view() -> PathsView:
    return PathsView(Paths())


@pytest.fixture(scope="module")
def cases() -> list[Calculated]:
    random = Random(0)
    odd = [{"blocks": blocks, "gain": alike} for blocks, alike in TOTALS]
    drawn = [{}, *odd, *(settings(random) for _ in range(CASES))]
    return [Calculated(Paths(**values), gestures(random)) for values in drawn]


@pytest.fixture(scope="module")
def pairs(view: PathsView, cases: list[Calculated]) -> Pairs:
    return figures.compared(view, cases)


class TestTwin(figures.SamePicture):
    alike = staticmethod(figures.near)


def test_drags_set_the_same_gains(view: PathsView, cases: list[Calculated], pairs: Pairs) -> None:
    answers = []
    for case, (_expected, twin) in zip(cases, pairs, strict=True):
        view.simulation, view._diagram._blocks = case.simulation, case.simulation.blocks
        expected = [pulled(view, gesture) for gesture in case.gestures]
        assert twin["pointed"] == expected
        answers += expected
    assert len({str(answer) for answer in answers}) > CASES


def pulled(view: PathsView, gesture: Case) -> dict[str, str] | None:
    """What Python makes of a gesture."""
    changes: dict[str, str] = {}
    view.change_all = lambda values: changes.update({name: to_text(value) for name, value in values.items()})  # type: ignore[method-assign]
    figure = view._diagram.gains if gesture["origin"] == GAINS else view._diagram.paths
    figure._trigger_event(EVENTS[gesture["event_name"]](figure, x=gesture["x"], y=gesture["y"]))
    return changes or None
