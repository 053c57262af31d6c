"""Whose place is missed most: a run that plays, then a figure that is seen, then one that nobody sees."""

from typing import Any

from bokeh.document import Document

from app.live.session import Session
from app.server.sessions.places import HIDDEN, PLAYING, STANDING
from app.server.sessions.session_endpoint import rank
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
