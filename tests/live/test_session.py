"""What a reader asks of a session reaches its run: several changes at once begin it anew once."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from bokeh.document import Document
from bokeh.events import Tap

from app.live import session as session_module
from app.live.session import REQUEST_LIMIT, Session
from app.runs.jobs import Status, Update
from sims.contract.own_points import LONGEST
from sims.contract.simulation import Simulation
from sims.simulations.explorer import Explorer
from sims.simulations.insert_identity import InsertIdentity


class RunSpy:
    """Takes note of what a run is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.settings: Mapping[str, Any] = {}
        self.playing = False
        self.generation = 1

    def restart(self, settings: Mapping[str, Any]) -> None:
        self.told.append("restart")
        self.settings = settings
        self.generation += 1

    def pause(self) -> None:
        self.told.append("pause")
        self.playing = False

    def play(self) -> None:
        self.told.append("play")
        self.playing = True


def session(name: str, simulation: Simulation) -> tuple[Session, RunSpy]:
    made = Session(Document(), name, simulation, [])
    made.layout()
    run = RunSpy()
    made.run = run  # type: ignore[assignment]
    return made, run


@pytest.fixture
def explorer() -> tuple[Session, RunSpy]:
    return session("explorer", Explorer())


def ask(made: Session, **message: Any) -> None:
    made.request.value = json.dumps(message)


def test_a_reset_begins_the_run_anew_once(explorer: tuple[Session, RunSpy]) -> None:
    made, run = explorer
    made.change_all({"depth": 40, "norm": "none", "width": 16})
    assert run.told == ["restart"]
    ask(made, do="reset", initial={"depth": "32", "skip": "dense"})
    assert run.told == ["restart", "restart"]
    assert (run.settings["depth"], run.settings["skip"], run.settings["norm"]) == (32, "dense", "pre-layer")
    assert made.controls.widgets["depth"].value == 32


def test_play_is_heard(explorer: tuple[Session, RunSpy]) -> None:
    made, run = explorer
    ask(made, do="play")
    assert run.told == ["play"]


def test_what_is_not_possible_is_noted_and_the_rest_is_taken(explorer: tuple[Session, RunSpy]) -> None:
    made, run = explorer
    made.change_all({"depth": "<script>", "nothing": 1, "width": 8})
    assert run.settings["width"] == 8
    assert run.settings["depth"] == Explorer.param["depth"].default
    assert len(made.notes) == 2


def test_changes_that_restart_nothing_restart_nothing(explorer: tuple[Session, RunSpy]) -> None:
    made, run = explorer
    made.change_all({"pen": "b", "moment": 50})
    assert run.told == []


def test_as_many_points_as_there_can_be_fit_into_a_request(explorer: tuple[Session, RunSpy]) -> None:
    made, run = explorer
    points = "a0000b9999" * (LONGEST // 10)
    message = json.dumps({"n": 10**6, "do": "set", "name": "points", "value": points})
    assert len(message) < REQUEST_LIMIT
    made.request.value = message
    assert run.settings["points"] == points


@pytest.mark.parametrize(("pen", "points"), [("b", "a5050b7550"), ("erase", "")])
def test_a_click_on_the_map_adds_and_erases_points(explorer: tuple[Session, RunSpy], pen: str, points: str) -> None:
    made, run = explorer
    made.change_all({"task": "own", "points": "a5050", "pen": pen})
    plane = made.view._planes["first"].figure
    x = 1.02 if pen == "b" else 0.05
    plane._trigger_event(Tap(plane, sx=0, sy=0, x=x, y=0.03))
    assert run.settings["points"] == points


@pytest.mark.parametrize("place", [("1", 0), (None, None), (float("nan"), 0.0), (1e300, 0.0)])
def test_a_click_from_nowhere_changes_nothing(explorer: tuple[Session, RunSpy], place: tuple[Any, Any]) -> None:
    made, _run = explorer
    made.change_all({"task": "own", "points": "a5050"})
    plane = made.view._planes["second"].figure
    plane._trigger_event(Tap(plane, sx=0, sy=0, x=place[0], y=place[1]))
    assert made.simulation.points == "a5050"


def test_a_click_on_a_given_task_changes_nothing(explorer: tuple[Session, RunSpy]) -> None:
    made, run = explorer
    plane = made.view._planes["first"].figure
    plane._trigger_event(Tap(plane, sx=0, sy=0, x=0.0, y=0.0))
    assert run.told == []


def test_a_change_of_one_value_is_a_change_of_all_of_one() -> None:
    made, run = session("insert_identity", InsertIdentity())
    made.change("inserted", 12)
    assert run.settings["inserted"] == 12


def test_a_frame_that_comes_after_the_end_was_skipped_to_is_dropped_until_the_run_goes_on(
    explorer: tuple[Session, RunSpy], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, run = explorer
    training = Explorer(depth=4, seeds=1)
    state = training.start()
    early, late = training.frame(state), training.frame(training.advance(state, 5))
    monkeypatch.setattr(session_module.results, "kept", lambda simulation: late)
    made.take(Update(early, Status("running")))
    run.playing = True
    made.show_end()
    assert run.told == ["pause"]
    made.take(Update(early, Status("paused")))
    assert made.frame is late
    assert made.status.state == "paused"
    run.playing = True
    made.take(Update(early, Status("running")))
    assert made.frame is early
    made.show_end()
    run.restart({})
    made.take(Update(early, Status("ready")))
    assert made.frame is early
