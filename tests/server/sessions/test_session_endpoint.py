"""Whose place is missed most: a run that plays, then a figure that is seen, then one that nobody sees. And what pages
do by themselves."""

from typing import Any

import pytest
from bokeh.document import Document

from app.live.session import Session
from app.server.sessions import session_endpoint
from app.server.sessions.places import HIDDEN, PLAYING, STANDING
from app.server.sessions.session_endpoint import page_computes, rank
from sims.simulations.design_choices.explorer import Explorer
from tests.live.run_spy import RunSpy


def test_a_run_that_plays_keeps_its_place_longest_and_what_is_not_seen_loses_it_first() -> None:
    def open_run(*_given: object) -> Any:
        return RunSpy()

    session, ranks = Session(Document(), "explorer", Explorer(), open_run=open_run), []
    for action in ("seen", "play", "pause", "unseen"):
        session.act(action, {})
        ranks.append(rank(session))
    assert ranks == [STANDING, PLAYING, STANDING, HIDDEN]
    assert HIDDEN < STANDING < PLAYING


@pytest.mark.parametrize(
    ("setting", "workers", "trains", "calculates"),
    [
        ("server", 0, False, False),
        ("browser", 9, True, True),
        ("auto", 9, False, False),
        ("auto", 0, True, False),
    ],
)
def test_busy_workers_leave_training_to_pages_but_no_calculation(
    monkeypatch: pytest.MonkeyPatch, setting: str, workers: int, trains: bool, calculates: bool
) -> None:
    monkeypatch.setenv("SKIP_TRAIN", setting)
    monkeypatch.setattr(session_endpoint.settings, "workers", lambda: workers)
    monkeypatch.setattr(session_endpoint.kernels, "complete", lambda _key: True)
    assert page_computes("degradation") == trains
    assert page_computes("tower") == calculates
    assert page_computes("../tower") == (setting == "browser")
