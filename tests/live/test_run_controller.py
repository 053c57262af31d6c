"""A session's run is opened once, goes as its page asks, and is given back."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.live.run_controller import RunController
from app.runs.jobs import Busy, Status
from sims.simulations.depth.insert_identity import InsertIdentity
from sims.simulations.design_choices.explorer import Explorer
from sims.simulations.gradients.paths import Paths
from tests.live.run_spy import RunSpy

TRAINING = Explorer()


async def deliver(_update: object) -> None:
    """Nobody is told anything here."""


def own_run() -> tuple[RunController, list[RunSpy]]:
    """The run of a session, and what it opens."""
    opened: list[RunSpy] = []

    def open_run(_kind: object, settings: Mapping[str, Any], *_given: object) -> Any:
        opened.append(RunSpy())
        opened[-1].settings = settings
        return opened[-1]

    return RunController(open_run, deliver, lambda: True), opened


def test_it_is_opened_when_it_is_wanted_and_once() -> None:
    own, opened = own_run()
    own.drive("pause", {}, TRAINING)
    assert opened == []
    for action in ("step", "play", "pause"):
        own.drive(action, {}, TRAINING)
    assert [run.told for run in opened] == [["step", "play", "pause"]]


@pytest.mark.parametrize("action", ["play", "step"])
def test_a_run_that_has_failed_begins_again(action: str) -> None:
    controller, opened = own_run()
    controller.opened(Explorer(depth=4))
    opened[0].status = Status("failed", message="Try again in a minute.")
    controller.drive(action, {}, Explorer(depth=4))
    assert opened[0].told == ["restart", action]


def test_what_is_not_trained_has_none() -> None:
    own, opened = own_run()
    own.drive("play", {}, Paths())
    assert (own.run, opened) == (None, [])


def test_it_begins_anew_with_other_settings() -> None:
    own, opened = own_run()
    own.restart(TRAINING)
    assert opened[0].told == []
    own.restart(InsertIdentity(inserted=12))
    assert opened[0].told == ["restart"]
    assert opened[0].settings["inserted"] == 12


@pytest.mark.parametrize(("share", "speed"), [(0.25, 0.25), (7, 1.0), (0, 1.0), ("fast", 1.0), (float("nan"), 1.0)])
def test_the_speed_is_a_share_of_this_run_and_of_the_next(share: object, speed: float) -> None:
    own, opened = own_run()
    own.play(TRAINING)
    own.drive("speed", {"share": share}, TRAINING)
    own.leave()
    own.play(TRAINING)
    assert [run.speed for run in opened] == [speed, speed]


def test_what_played_plays_on_when_it_is_seen_again_and_nothing_else_does() -> None:
    own, opened = own_run()
    own.play(TRAINING)
    for action in ("unseen", "unseen", "seen", "seen", "pause", "unseen", "seen"):
        own.drive(action, {}, TRAINING)
    assert opened[0].told == ["play", "pause", "play", "pause"]


def test_what_comes_after_its_end_was_skipped_to_is_late_until_it_goes_on() -> None:
    own, opened = own_run()
    own.skip()
    assert not own.skipped
    own.play(TRAINING)
    own.skip()
    assert own.skipped
    own.play(TRAINING)
    assert not own.skipped
    own.skip()
    own.restart(TRAINING)
    assert not own.skipped
    assert opened[0].told == ["play", "pause", "play", "pause", "restart"]


def test_where_no_run_is_taken_it_says_why_until_settings_change() -> None:
    def refuse(*_arguments: object) -> Any:
        raise Busy("Come back later.")

    own = RunController(refuse, deliver, lambda: True)
    own.play(TRAINING)
    assert (own.status.state, own.status.message, own.playing) == ("failed", "Come back later.", False)
    own.leave()
    assert own.status.state == "ready"


def test_it_is_given_back() -> None:
    own, opened = own_run()
    own.close()
    own.play(TRAINING)
    assert own.playing
    own.close()
    assert opened[0].told == ["play", "close"]


def test_a_step_after_the_end_was_skipped_to_is_shown() -> None:
    own, _opened = own_run()
    own.play(TRAINING)
    own.skip()
    assert own.skipped
    own.drive("step", {}, TRAINING)
    assert not own.skipped


def test_a_new_run_does_not_play_because_the_run_before_it_had_played() -> None:
    own, opened = own_run()
    own.play(TRAINING)
    own.drive("unseen", {}, TRAINING)
    own.leave()
    own.opened(TRAINING)
    own.drive("seen", {}, TRAINING)
    assert [run.told for run in opened] == [["play", "pause", "close"], []]
