"""Maps and the distance of two networks that began as one, with words at the steps that decide."""

import numpy as np
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


def test_every_moment_has_three_maps_and_a_step_to_come_has_its_name(run: tuple[Init, list[Frame]]) -> None:
    simulation, frames = run
    for frame, columns in zip(frames, (1, 2, 4), strict=True):
        maps = showing(InitView(simulation), frame)._maps
        assert maps._moments.data["text"] == ["step 0", "step 1", "step 10", "step 60"]
        small, multiplied = np.split(np.stack(maps._answers.data["image"]), 2)
        different = np.stack(maps._different.data["image"])
        assert len(small) == columns
        np.testing.assert_array_equal(different, small != multiplied)
        assert different.any(axis=(1, 2)).tolist() == [False, *[True] * (columns - 1)]


def test_the_present_moment_takes_the_next_column() -> None:
    simulation = Init(**shortest(Init))
    frame = simulation.frame(simulation.advance(simulation.start(), 4))
    maps = showing(InitView(simulation), frame)._maps
    assert maps._moments.data["text"] == ["step 0", "step 1", "step 4", "step 60"]
    assert maps._answers.data["x"] == [*maps._lefts[:3], *maps._lefts[:3]]


def test_an_answer_that_is_not_finite_has_no_color(run: tuple[Init, list[Frame]]) -> None:
    simulation, (first, *_) = run
    maps = np.full_like(first["maps"], -1)
    view = InitView(simulation)
    view.draw()
    view._maps.show([0], maps, 60, 4)
    assert {int(byte) for image in view._maps._answers.data["image"] for byte in image.ravel()} == {255}
    assert not np.any(view._maps._different.data["image"])


@pytest.mark.parametrize("blocks", [2, 8])
def test_a_factor_that_is_no_power_of_two_rounds_and_no_more(blocks: int) -> None:
    simulation = Init(**{**shortest(Init), "blocks": blocks})
    first = simulation.frame(simulation.start())
    assert first["apart"][0] < 1e-6
    assert words(simulation, first) == ["0%: the same function"]
