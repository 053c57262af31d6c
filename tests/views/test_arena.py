"""The race's lanes: the order at the finish, the words beside it, and the meters of the gradients."""

from dataclasses import replace

import numpy as np
import pytest

from app.pictures.looks import ENTRANTS
from app.views.arena import ArenaView
from sims.contract.wording import number
from sims.simulations.arena import Arena
from tests.settings import shortest


@pytest.fixture(scope="module")
def raced():
    simulation = Arena(**{**shortest(Arena), "seeds": 2})
    return simulation, simulation.frame(simulation.advance(simulation.start(), 20))


def shown(simulation, frame):
    view = ArenaView(simulation)
    view.draw()
    view.update(frame)
    return view


def test_the_lanes_of_the_finish_stand_in_the_order_of_places_each_with_its_own_words(raced):
    simulation, frame = raced
    count = len(simulation.entrants)
    told = {
        "places": np.arange(count, 0, -1),
        "finishers": np.array([2, 1, *[2] * (count - 3), 0]),
        "finish": np.array([*range(90, 90 - 10 * (count - 1), -10), np.nan]),
        "finish_low": np.full(count, 30.0),
        "finish_high": np.full(count, 99.0),
    }
    quantities = {name: replace(frame.quantities[name], values=values) for name, values in told.items()}
    view = shown(simulation, replace(frame, quantities={**frame.quantities, **quantities}))
    labels = [ENTRANTS[name][0] for name in simulation.entrants]
    texts = view._finish._texts.data
    assert texts["name"] == labels[::-1]
    assert texts["text"][-1] == f"{count}.  2 of 2, step 90 (30–99)"
    assert texts["text"][-2] == f"{count - 1}.  1 of 2, step 80"
    assert texts["text"][0] == "0 of 2"
    bars = view._finish._bars["bar"].data
    assert bars["name"] == labels[-2::-1]
    assert bars["right"] == told["finish"][-2::-1].tolist()


def test_the_meters_have_the_ratio_of_now_in_the_color_of_its_health(raced):
    simulation, frame = raced
    view = shown(simulation, frame)
    words = dict(zip(view._gradients._texts.data["name"], view._gradients._texts.data["text"], strict=True))
    columns = (frame[name].tolist() for name in ("health", "gradients", "gradients_at_start"))
    for name, kind, now, start in zip(simulation.entrants, *columns, strict=True):
        label = ENTRANTS[name][0]
        assert words[label].endswith(f"{number(now, 2)} (start {number(start, 2)})")
        data = view._gradients._bars[kind].data
        assert dict(zip(data["name"], data["right"], strict=True)).get(label, 0) == now


def test_the_curves_are_those_of_the_entrants_and_the_legend_names_no_other(raced):
    simulation, frame = raced
    view = shown(simulation, frame)
    for name, item in zip(ENTRANTS, view._legend, strict=True):
        assert item.visible == (name in simulation.entrants)
        if name in simulation.entrants:
            assert view._loss.source.data[name].tolist() == frame[f"{name}_{simulation.measure}_loss"].tolist()
