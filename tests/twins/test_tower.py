"""The twin of the figure `tower` in JavaScript calculates what Python calculates, and shows it alike.

NumPy multiplies matrices with BLAS, which adds products in an order of its own, and a logarithm or an arc cosine has
the last digit of a library. So numbers may differ by one part in 10¹². Sentences are compared as they are: they have
two digits, and about one number of 10⁹ is so close to the boundary between two roundings that it could differ.
"""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from app.pictures.charts.lit_network import DROP, ROWS
from app.views.depth.tower import TowerView
from sims.contract.number_list import written
from sims.engines.wasm.starting import starting
from sims.simulations.depth.tower import BLOCKS, NORMS, STRENGTHS, Tower
from tests.tiers import drawn
from tests.twins import figures
from tests.twins.figures import Calculated, Case, Pairs

CASES = drawn(40)
SETTINGS: dict[str, list[Any]] = {
    "strength": list(STRENGTHS.values()),
    "norm": list(NORMS.values()),
    "blocks": list(BLOCKS),
    "seeds": [1, 2, 3, 4, 5],
    "seed": [0, 1, 7, 9999],
}
PAGES: tuple[dict[str, Any], ...] = (
    {},
    {"cut": "1-28"},
    {"cut": "1-28", "blocks": 4},
    {"cut": "1-28", "strength": "tenth"},
    {"strength": "tenth"},
    {"cut": "14"},
)
"""What pages show first, and what they offer"""


def settings(random: Random) -> dict[str, Any]:
    some = {random.randint(1, 28) for _ in range(random.randrange(20))}
    cut = random.choice(["", "1-28", "1-14", written(some), written(some)])
    return {name: random.choice(values) for name, values in SETTINGS.items()} | {"cut": cut}


NETWORKS = {f"_network.screens.{screen}.figure": screen for screen in ROWS}
HEIGHTS = (0.3, -0.4, -0.41, 1.7, 1.71, None, 0.3 - DROP, 1.71 - DROP, -0.41 - DROP, 1 - 2 * DROP)


def gestures(random: Random) -> tuple[Case, ...]:
    """Presses in the picture and around it, and events that are none."""
    here = [
        {"origin": origin, "event_name": "tap", "x": random.choice([*range(-1, 30), random.uniform(-1, 29)]), "y": y}
        for origin in NETWORKS
        for y in (*HEIGHTS, random.uniform(-7, 3))
    ]
    return *here, here[0] | {"event_name": "pan"}, here[0] | {"origin": "_signals._charts.stream"}


@pytest.fixture(scope="module")
def view() -> TowerView:
    return TowerView(Tower())


@pytest.fixture(scope="module")
def cases() -> list[Calculated]:
    random = Random(0)
    drawn = [*PAGES, *(settings(random) for _ in range(CASES))]
    return [Calculated(Tower(**values), gestures(random)) for values in drawn]


@pytest.fixture(scope="module")
def pairs(view: TowerView, cases: list[Calculated], tmp_path_factory: pytest.TempPathFactory) -> Pairs:
    folder: Path = tmp_path_factory.mktemp("files")
    for name, content in starting().items():
        (folder / name).write_bytes(content)
    return figures.compared(view, cases, folder)


class TestTwin(figures.SamePicture):
    alike = staticmethod(figures.near)
    equal = staticmethod(figures.near_in_texts)


def test_presses_take_out_the_same_plus_signs(view: TowerView, cases: list[Calculated], pairs: Pairs) -> None:
    answers = []
    for case, (_expected, twin) in zip(cases, pairs, strict=True):
        view.simulation = case.simulation
        for rows in view._network.screens.values():
            rows._blocks = case.simulation.blocks
        expected = [pressed(view, gesture) for gesture in case.gestures]
        assert twin["pointed"] == expected
        answers += expected
    assert len({str(answer) for answer in answers}) > CASES


def pressed(view: TowerView, gesture: Case) -> dict[str, str] | None:
    """What Python makes of a gesture; it is told of presses in its picture alone."""
    if gesture["event_name"] != "tap" or gesture["origin"] not in NETWORKS:
        return None
    changes: dict[str, str] = {}
    view.change = lambda name, value: changes.update({name: value})  # type: ignore[method-assign,assignment]
    view._network.screens[NETWORKS[gesture["origin"]]]._on_tap(SimpleNamespace(**gesture))
    return changes or None


def test_the_cases_are_of_every_kind(pairs: Pairs) -> None:
    results = [expected["frame"]["results"] for expected, _ in pairs]
    assert {result["plus_signs"] for result in results} >= {0, 28}
    assert min(result["stream"] for result in results) < 1e-20 < 1e3 < max(result["stream"] for result in results)
