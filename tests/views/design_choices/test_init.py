"""The distance between two networks that began as one, with words at the steps that decide."""

import pytest

from app.views.design_choices.init import InitView
from sims.contract.frame import Frame
from sims.contract.wording import percent
from sims.simulations.design_choices.init import Init
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def run() -> tuple[Init, list[Frame]]:
    # One over the root of four is a power of two: the products round alike, and both begin with the same bits.
    simulation = Init(**{**shortest(Init), "blocks": 4})
    state = simulation.start()
    frames = [simulation.frame(state)]
    for steps in (1, 59):
        state = simulation.advance(state, steps)
        frames.append(simulation.frame(state))
    return simulation, frames


def words(simulation: Init, frame: Frame) -> list[str]:
    view = showing(InitView(simulation), frame)
    texts = [text for source in view._words.values() for text in source.data["text"]]
    assert len(view._points.data["x"]) == len(texts)
    return texts


def test_both_begin_as_the_same_function_and_the_growing_distance_is_described(run: tuple[Init, list[Frame]]) -> None:
    simulation, (first, second, last) = run
    assert words(simulation, first) == ["0%: the same function"]
    assert first["apart"][0] == 0
    assert words(simulation, second) == ["0%: the same function", f"after 1 step: {percent(second['apart'][-1])}"]
    assert words(simulation, last)[-1] == f"after 60 steps: {percent(last['apart'][-1])}"
    assert len(words(simulation, last)) == 3


@pytest.mark.parametrize("blocks", [2, 8])
def test_a_factor_that_is_no_power_of_two_rounds_and_no_more(blocks: int) -> None:
    simulation = Init(**{**shortest(Init), "blocks": blocks})
    first = simulation.frame(simulation.start())
    assert first["apart"][0] < 1e-6
    assert words(simulation, first) == ["0%: the same function"]
