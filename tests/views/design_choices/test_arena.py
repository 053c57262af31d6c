"""The race: markers and words of every track, the meters of the gradients, and the curves."""

import re
from dataclasses import replace

import numpy as np
import pytest

from app.pictures.base.looks import ENTRANTS
from app.views.design_choices.arena import ArenaView, short
from sims.simulations.design_choices.arena import Arena
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def raced():
    simulation = Arena(**{**shortest(Arena), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 20))


def shown(simulation, frame):
    return showing(ArenaView(simulation), frame)


def test_every_track_has_its_own_marker_and_words(raced):
    simulation, frame = raced
    count = len(simulation.entrants)
    values_by_name = {
        "places": np.arange(count, 0, -1),
        "finishers": np.array([2, 1, *[2] * (count - 3), 0]),
        "finish": np.array([*range(20, 20 - count + 1, -1), np.inf]),
    }
    quantities = {name: replace(frame.quantities[name], values=values) for name, values in values_by_name.items()}
    view = shown(simulation, replace(frame, quantities={**frame.quantities, **quantities}, steps=frame.step))
    labels = list(view._race._places.major_label_overrides.values())
    assert labels[0] == f"{count}.  step 20, 2/2"
    assert labels[1] == f"{count - 1}.  step 19, 1/2"
    assert re.fullmatch(r"1\.  \S+% right", labels[-1])
    assert list(view._race.figure.left[0].major_label_overrides.values())[-1] == "transformer,\nPost-LN"
    for at, name in enumerate(simulation.entrants):
        last = max(frame[f"{name}_progress"][-1], view._race.figure.x_range.start)
        assert view._race._maps.data["x"][at] == last
        assert np.array_equal(view._race._maps.data["image"][at], frame[f"{name}_maps"][-1])


def test_the_meters_have_the_ratio_of_now_in_the_color_of_its_health(raced):
    simulation, frame = raced
    view = shown(simulation, frame)
    words = dict(zip(view._gradients._texts.data["name"], view._gradients._texts.data["text"], strict=True))
    columns = (frame[name].tolist() for name in ("health", "gradients", "gradients_at_start"))
    for name, kind, now, start in zip(simulation.entrants, *columns, strict=True):
        label = ENTRANTS[name][0]
        assert words[label].endswith(f"{short(now)} ({short(start)})")
        data = view._gradients._bars[kind].data
        assert dict(zip(data["name"], data["right"], strict=True)).get(label, 0) == now


def test_the_curves_are_those_of_the_entrants_and_the_legend_names_no_other(raced):
    simulation, frame = raced
    view = shown(simulation, frame)
    for name, item in zip(ENTRANTS, view._legend, strict=True):
        assert item.visible == (name in simulation.entrants)
        if name in simulation.entrants:
            assert view._loss.source.data[name].tolist() == frame[f"{name}_{simulation.measure}_loss"].tolist()


def test_tiny_values_are_written_as_a_power_of_ten():
    assert [short(number) for number in (162.4, 0.0183, 4.7e-14)] == ["160", "0.018", "5 × 10⁻¹⁴"]
