"""Small pictures of networks: bars from the last layer's gradient, a verdict in words and sign, and neutral gaps."""

from typing import Any

import numpy as np
import pytest
from bokeh.events import Tap

from app.pictures.charts.diagnoses import Diagnoses, Network
from sims.contract.frame import Frame, Quantity


def frame(gradients: list[float], diagnosis: str = "fine", step: int = 600) -> Frame:
    values = Quantity(np.array(gradients), "gradient", "relative", ("layer",))
    return Frame({"stream gradient at start": values}, {"training_error": 0.25, "diagnosis": diagnosis}, step, 600)


def shown(**networks: Network) -> tuple[Diagnoses, list[str]]:
    heard: list[str] = []
    picture = Diagnoses("A title", heard.append)
    picture.show(networks, next(iter(networks)))
    return picture, heard


def words(picture: Diagnoses, line: str) -> dict[str, list[str]]:
    return {color: source.data["text"] for (name, color), source in picture._words.items() if name == line}


def test_a_bar_reaches_from_the_last_layer_s_gradient_to_its_own() -> None:
    bars = shown(one=Network(frame([1e-3, 0.1, 10.0])))[0]._bars
    assert bars["plain"].data["bottom"] == [10.0, 10.0, 10.0]
    assert bars["plain"].data["top"] == [1e-3, 0.1, 10.0]
    assert bars["residual"].data["top"] == []


def test_a_network_with_skips_has_their_color_and_an_exact_zero_a_cross() -> None:
    picture = shown(one=Network(frame([0.0, 1.0]), skip=True))[0]
    assert picture._bars["residual"].data["top"] == [1.0]
    assert len(picture._zeros.data["x"]) == 1


@pytest.mark.parametrize(
    ("verdict", "color", "sign"), [("fine", "healthy", "●"), ("vanished", "failing", "▼"), ("exploded", "failing", "▲")]
)
def test_a_verdict_is_a_word_a_sign_and_a_color(verdict: str, color: str, sign: str) -> None:
    picture = shown(one=Network(frame([1.0], verdict)))[0]
    assert words(picture, "verdict")[color] == [verdict]
    assert words(picture, "sign")[color] == [sign]
    assert words(picture, "error")["ink"] == ["error 25%"]


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (Network(None), "not run"),
        (Network(frame([1.0], "not trained yet", 0)), "untrained"),
        (Network(frame([1.0], "not trained yet", 96)), "step 96"),
    ],
)
def test_what_is_not_over_has_not_failed(network: Network, expected: str) -> None:
    assert words(shown(one=network)[0], "verdict") == {"failing": [], "healthy": [], "soft": [expected]}


def test_a_press_names_the_picture_under_it() -> None:
    picture, heard = shown(one=Network(None), other=Network(frame([1.0])))
    places: list[Any] = [0.4, 1.9, 2.5, None]
    for x in places:
        picture.figure._trigger_event(Tap(picture.figure, x=x, y=1.0))
    assert heard == ["one", "other"]
