"""The twin of the figure `language_tower` in JavaScript calculates what Python calculates, and shows it alike.

The compiled kernels give the same bits. NumPy adds these in an order of its own, and an arc cosine has the last
digit of a library. So numbers may differ by one part in 10¹².
"""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from app.pictures.charts.lit_network import DROP, ROWS
from app.views.language_models.language_tower import LanguageTowerView
from sims.contract.number_list import written
from sims.simulations.language_models.language_tower import BLOCKS, CUTS, MOST, LanguageTower
from tests.engines.wasm.modules import modules
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Calculated, Case, Pairs

CASES = drawn(20)


def settings(random: Random) -> dict[str, Any]:
    some = {random.randint(1, MOST) for _ in range(random.randrange(MOST))}
    return {
        "cut": random.choice([*CUTS.values(), written(some), written(some)]),
        "blocks": random.choice(BLOCKS),
        "attention": random.choice(["softmax", "identity"]),
        "seed": random.choice([0, 1, 7, 9999]),
    }


NETWORKS = {f"_network.screens.{screen}.figure": screen for screen in ROWS}


def gestures(random: Random) -> tuple[Case, ...]:
    """Presses in the picture and around it."""
    return tuple(
        {"origin": origin, "event_name": "tap", "x": random.uniform(-1, MOST + 1), "y": y}
        for origin in NETWORKS
        for y in (0.3, -0.41, 1.7, 0.3 - DROP, random.uniform(-7, 3))
    )


@pytest.fixture(scope="module")
def view() -> LanguageTowerView:
    return LanguageTowerView(LanguageTower())


@pytest.fixture(scope="module")
def cases() -> list[Calculated]:
    random = Random(0)
    drawn = [{}, {"cut": "1-16"}, *(settings(random) for _ in range(CASES))]
    return [Calculated(LanguageTower(**values), gestures(random)) for values in drawn]


@pytest.fixture(scope="module")
def pairs(view: LanguageTowerView, cases: list[Calculated]) -> Pairs:
    return figures.compared(view, cases, modules())


class TestTwin(figures.SamePicture):
    alike = staticmethod(figures.near)
    equal = staticmethod(figures.near_in_texts)


def test_presses_take_out_the_same_plus_signs(view: LanguageTowerView, cases: list[Calculated], pairs: Pairs) -> None:
    for case, (_expected, twin) in zip(cases, pairs, strict=True):
        view.simulation = case.simulation
        for rows in view._network.screens.values():
            rows._blocks = 2 * case.simulation.blocks
        assert twin["pointed"] == [pressed(view, gesture) for gesture in case.gestures]
    assert any(twin["pointed"] for _expected, twin in pairs)


def pressed(view: LanguageTowerView, gesture: Case) -> dict[str, str] | None:
    """What Python makes of a press."""
    changes: dict[str, str] = {}
    view.change = lambda name, value: changes.update({name: value})  # type: ignore[method-assign,assignment]
    view._network.screens[NETWORKS[gesture["origin"]]]._on_tap(SimpleNamespace(**gesture))
    return changes or None
