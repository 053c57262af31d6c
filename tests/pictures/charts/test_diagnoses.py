"""Towers of networks: light from the last place down, a verdict in words and sign, and neutral gaps."""

from typing import Any

import numpy as np
import pytest
from bokeh.events import Tap

from app.pictures.charts.diagnoses import BODY, Diagnoses, Network
from sims.contract.frame import Frame, Quantity


def frame(gradients: list[float], diagnosis: str = "fine", step: int = 600) -> Frame:
    values = Quantity(np.array(gradients), "gradient", "relative", ("layer",))
    return Frame(
        {"stream gradient at start": values}, {"training_error": 0.25, "diagnosis": diagnosis, "ratio": 1.0}, step, 600
    )


def shown(**networks: Network) -> tuple[Diagnoses, list[str]]:
    heard: list[str] = []
    picture = Diagnoses("A title", heard.append)
    picture.show(networks, next(iter(networks)))
    return picture, heard


def words(picture: Diagnoses, line: str) -> dict[str, list[str]]:
    return {color: source.data["text"] for (name, color), source in picture._words.items() if name == line}


def light(picture: Diagnoses, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Width and brightness at every place, from bottom to top, without the rims."""
    rows = picture.lights[kind].data
    count = len(rows["left"]) // 2
    left, right, bright = (np.array(rows[key][count:]) for key in ("left", "right", "bright"))
    return right - left, bright


def test_light_is_as_wide_and_as_bright_as_the_gradient_and_whole_at_the_last_place() -> None:
    picture = shown(one=Network(frame([1e-9, 1e-3, 1.0])))[0]
    wide, bright = light(picture, "plain")
    assert wide == pytest.approx([0, 2 * BODY * 2 / 3, 2 * BODY])
    assert bright == pytest.approx(np.sort(bright))
    assert bright[-1] == 1
    assert light(picture, "residual")[0].tolist() == []


def test_towers_share_a_scale() -> None:
    picture = shown(one=Network(frame([1e-12, 1.0])), other=Network(frame([1e-6, 1.0])))[0]
    assert light(picture, "plain")[0] == pytest.approx(2 * BODY * np.array([0, 1, 0.5, 1]))


def test_a_larger_gradient_than_at_the_top_is_wider_and_has_a_hot_core() -> None:
    picture = shown(one=Network(frame([1e5, 1e2, 1.0])))[0]
    wide, _bright = light(picture, "plain")
    assert wide[0] > wide[1] > wide[2] == pytest.approx(2 * BODY)
    assert picture._cores.data["bright"] == [1.0, 0.5]


def test_level_gradients_look_level() -> None:
    wide, bright = light(shown(one=Network(frame([0.5, 0.7, 1.0])))[0], "plain")
    assert wide.min() > 0.9 * wide.max()
    assert bright.min() > 0.9


def test_a_network_with_skips_has_their_color_and_an_exact_zero_a_cross() -> None:
    picture = shown(one=Network(frame([0.0, 1.0]), skip=True))[0]
    assert len(light(picture, "residual")[0]) == 1
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
        (Network(None), "not trained yet"),
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
