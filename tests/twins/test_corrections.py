"""The twin of the figure `corrections` in JavaScript computes what Python computes, and shows it alike.

NumPy multiplies by a matrix with BLAS, which adds products in an order of its own. Where large products cancel, a
number keeps fewer digits; so numbers may differ by one part in 10¹², or by 10⁻⁹. A pixel may have the next one of 64
shades. Where the shortest or the longest vector is the input itself, the last digit decides whether its length is below
1, and so where the axis of lengths ends.
"""

from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

from app.views.shortcuts.corrections import NAMES, CorrectionsView
from sims.contract.parameters import to_text
from sims.engines.wasm.starting import starting
from sims.simulations.shortcuts.corrections import Corrections
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Calculated, Case, Pairs

CASES = drawn(40)
KINDS = ("panstart", "pan", "tap")
WALK = "_walk.figure"
IMAGE = 32
"""Drawn pixels along an edge of an image"""


def settings(random: Random) -> dict[str, Any]:
    return {
        "depth": random.randint(1, 12),
        "strength": random.choice([0.0, 0.1, 0.25, 1.0, 2.0, random.randint(0, 40) / 20]),
        "ending": random.choice(["linear", "relu"]),
        "digit": random.randint(0, 9),
        "x1": random.choice([0.0, random.randint(-40, 40) / 20]),
        "x2": random.choice([0.0, random.randint(-40, 40) / 20]),
        "seed": random.choice([0, 1, 7, 9999]),
    }


def gestures(random: Random) -> tuple[Case, ...]:
    """Drags in and around the picture, and one elsewhere."""
    drags = [
        {"origin": WALK, "event_name": kind, "x": random.choice(places), "y": random.choice(places)}
        for kind in KINDS
        for places in ((0.025, -0.075, 0.125, 2.0), (random.uniform(-4, 4), None, random.uniform(-1, 1)))
    ]
    return *drags, drags[0] | {"origin": "_lengths"}


@pytest.fixture(scope="module")
def view() -> CorrectionsView:
    return CorrectionsView(Corrections())


@pytest.fixture(scope="module")
def cases() -> list[Calculated]:
    random = Random(0)
    digits = [{"digit": digit} for digit in range(10)]
    drawn = [*digits, *(settings(random) for _ in range(CASES))]
    return [Calculated(Corrections(**values), gestures(random)) for values in drawn]


@pytest.fixture(scope="module")
def pairs(view: CorrectionsView, cases: list[Calculated], tmp_path_factory: pytest.TempPathFactory) -> Pairs:
    folder = tmp_path_factory.mktemp("files")
    for name, content in starting().items():
        (folder / name).write_bytes(content)
    return figures.compared(view, cases, folder)


def alike(one: Any, other: Any) -> bool:
    """Whether the values of a property are equal to the last digits, and images to a shade."""
    if isinstance(one, dict) and "image" in one:
        images, others = (np.array(value["image"], int) for value in (one, other))
        same = images.shape == others.shape and images.shape[1:] == (IMAGE, IMAGE)
        rest = [{name: item for name, item in value.items() if name != "image"} for value in (one, other)]
        return same and bool((abs(images - others) <= 1).all()) and alike(*rest)
    return figures.near(one, other, 1e-9)


class TestTwin(figures.SamePicture):
    alike = staticmethod(alike)
    equal = staticmethod(partial(figures.near_in_texts, absolute=1e-9))

    def test_it_draws_the_same_picture(self, pairs: Pairs, view: CorrectionsView) -> None:  # type: ignore[override]
        axis = {view._lengths.y_range.id, view._lengths.yaxis[0].ticker.id}
        decided = []
        for expected, twin in pairs:
            norms = np.concatenate([expected["frame"]["quantities"][f"{name}_norms"]["values"] for name in NAMES])
            lengths = norms[norms > 0]
            changes = twin["changes"]
            if min(abs(lengths.min() - 1), abs(lengths.max() - 1)) < 1e-9:
                changes = [change for change in changes if change["model"]["id"] not in axis]
                expected = expected | {"changed": {place for place in expected["changed"] if place[0] not in axis}}
            else:
                decided.append(twin)
            super().test_it_draws_the_same_picture([(expected, twin | {"changes": changes})])
        assert len(decided) > CASES / 2


def test_hardly_a_pixel_differs(pairs: Pairs) -> None:
    differ, count = 0, 0
    for expected, twin in pairs:
        for change in twin["changes"]:
            value = figures.unpacked(change["new"])
            if isinstance(value, dict) and "image" in value:
                ours = expected["properties"][change["model"]["id"], change["attr"]]["image"]
                differ += int((np.array(value["image"]) != np.array(ours)).sum())
                count += np.size(ours)
    assert differ < 1e-3 * count


def test_drags_set_the_same_input(view: CorrectionsView, cases: list[Calculated], pairs: Pairs) -> None:
    for case, (_expected, twin) in zip(cases, pairs, strict=True):
        assert twin["pointed"] == [pulled(view, gesture) for gesture in case.gestures]


def pulled(view: CorrectionsView, gesture: Case) -> dict[str, str] | None:
    """What Python makes of a gesture, however soon after the last one it comes."""
    changes: dict[str, str] = {}
    view.change_all = lambda values: changes.update({name: to_text(value) for name, value in values.items()})  # type: ignore[method-assign]
    if gesture["origin"] == WALK and None not in (gesture["x"], gesture["y"]):
        view._point(gesture["x"], gesture["y"])
    return changes or None
