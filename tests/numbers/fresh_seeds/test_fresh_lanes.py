"""Numbers of ten fresh seeds of models in lanes: which model and which place they are read from."""

from collections.abc import Iterator

import numpy as np
import pytest

from sims.instruments.replication.lane_run import LaneLook, LaneRun, LaneSetup
from sims.numbers.fresh_seeds import compared_lanes, fresh_designs, fresh_lanes
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.simulations.wiring.trained_lanes import TrainedLanes


def advance(run: LaneRun, steps: int, look_every: int) -> LaneRun:
    """Made up: the number of the seed, plus 0.1 at the last place if lanes start apart."""
    assert steps == look_every == 500
    places = np.arange(10.0)[:, None] + [0.0, 0.1 * run.setup.apart]
    look = LaneLook(steps, places[:, 0], places, places, places, places, places[:, 0], places[..., None])
    return LaneRun({}, {}, steps, run.setup, (look,))


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def begin(setup: LaneSetup) -> LaneRun:
        return LaneRun({}, {}, 0, setup, ())

    monkeypatch.setattr(fresh_lanes, "begin", begin)
    monkeypatch.setattr(fresh_lanes, "advance", advance)
    monkeypatch.setattr(fresh_lanes, "model_of", lambda run: run)
    monkeypatch.setattr(fresh_lanes, "losses", lambda run, _pieces: 2 + run.looks[-1].losses)
    monkeypatch.setattr(fresh_lanes, "flipped_losses", lambda _setup, _pieces: np.arange(10.0))
    yield
    fresh_lanes._trained.cache_clear()
    fresh_lanes._losses.cache_clear()


def test_models_are_those_of_the_figure() -> None:
    figure = TrainedLanes()
    assert (figure.learning_rate, figure.rounds) == (fresh_lanes.RATE, fresh_lanes.ROUNDS)
    assert fresh_lanes.RATE in fresh_designs.RATES


def test_values_are_read_at_the_last_place() -> None:
    assert fresh_lanes.value("mhc", "alike", "lowest", start="apart") == pytest.approx(0.1)
    assert fresh_lanes.value("mhc", "alike", "highest") == 9
    assert fresh_lanes.value("mhc", "uneven", "highest", rounds=1) == 9


def test_losses_are_listed_by_seed() -> None:
    assert [fresh_lanes.loss("mhc", seed) for seed in SEEDS[:2]] == [2, 3]
    assert fresh_lanes.loss("pre-ln", SEEDS[3]) == 3


def test_differences_are_taken_seed_by_seed() -> None:
    calls = compared_lanes._calls("mhc", rounds=1)
    kept = {call: float(place) + (0.5 if "lanes" in call else 10) for place, call in enumerate(calls)}
    assert compared_lanes.difference(kept, form="mhc", rounds=1) == pytest.approx(-19.5)
    assert compared_lanes.difference(kept, form="mhc", rounds=1, statistic="low") == pytest.approx(-19.5)
