"""What a reader asks of a session reaches its run: several changes at once begin it anew once."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from bokeh.document import Document
from bokeh.document.events import DocumentChangedEvent, MessageSentEvent
from bokeh.events import Tap

from app.bokeh_internals.messages import LISTING, LIVE, REPLY, REQUEST
from app.live import session as session_module
from app.live.session import REQUEST_LIMIT, Session
from app.runs import suspended_runs
from app.runs.jobs import Busy, Status, Update
from sims.contract.frame import Frame
from sims.contract.own_points import LONGEST
from sims.contract.simulation import Simulation, Training
from sims.simulations.depth.insert_identity import InsertIdentity
from sims.simulations.depth.published import Published
from sims.simulations.design_choices.explorer import Explorer
from sims.simulations.gradients.backward import Backward
from sims.simulations.shortcuts.dataflow import Dataflow
from tests.live.run_spy import RunSpy

Opened = list[RunSpy]


def open_session(name: str, simulation: Simulation, **options: Any) -> tuple[Session, Opened]:
    """A session, and the runs that it opens, the last one at the end."""
    opened: Opened = []

    def open_run(
        _kind: type[Training], settings: Mapping[str, Any], _deliver: object, _watched: object, begun: bytes | None
    ) -> Any:
        opened.append(RunSpy())
        opened[-1].begun = begun
        opened[-1].settings = settings
        return opened[-1]

    return Session(Document(), name, simulation, open_run=open_run, **options), opened


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module.results, "kept", lambda _simulation: None)
    monkeypatch.setattr(session_module.results, "is_kept", lambda _simulation: False)


@pytest.fixture
def playing() -> tuple[Session, RunSpy]:
    """An explorer whose run is under way."""
    session, opened = open_session("explorer", Explorer())
    ask(session, do="play")
    return session, opened[0]


@pytest.fixture
def frames() -> tuple[Frame, Frame]:
    """Two frames of a small run: its start and a later step."""
    training = Explorer(depth=4, seeds=1)
    state = training.start()
    return training.frame(state), training.frame(training.advance(state, 5))


def send(session: Session, text: str) -> None:
    """Hand over a request as Bokeh does."""
    session.document.apply_json_patch({"events": [{"kind": "MessageSent", "msg_type": REQUEST, "msg_data": text}]})


@pytest.mark.parametrize("ended", [True, False])
def test_a_picture_under_way_is_not_shown_or_kept_with_other_settings(
    ended: bool, playing: tuple[Session, RunSpy], frames: tuple[Frame, Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document may be busy when a picture comes, and the reader's next wish comes before it."""
    session, run = playing
    run.playing = not ended
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(type(session.document), "session_context", object())
    monkeypatch.setattr(session.document, "add_next_tick_callback", waiting.append)

    async def story() -> None:
        delivery = asyncio.ensure_future(session.deliver(Update(frames[1], Status("finished"))))
        await asyncio.sleep(0)
        session.change("depth", "8")
        waiting[0]()
        await delivery

    asyncio.run(story())
    assert session.frame is None
    assert session.controller.status.state == "ready"


def test_nothing_is_said_of_the_former_settings_picture(
    playing: tuple[Session, RunSpy], frames: tuple[Frame, Frame]
) -> None:
    session, _run = playing
    session.apply_update(Update(frames[1], Status("running")))
    assert "description" in page_state(session)
    ask(session, do="set", values={"depth": "8"})
    assert "description" not in page_state(session)
    sent = messages(session)
    ask(session, do="csv")
    assert [kind for kind, _ in sent if kind == REPLY] == []


@pytest.mark.parametrize(
    ("name", "kind", "moments"), [("dataflow", Dataflow, range(8)), ("backward", Backward, range(1, 21))]
)
def test_a_figure_that_plays_has_the_sentence_of_every_moment(
    name: str, kind: type[Simulation], moments: range
) -> None:
    session, _opened = open_session(name, kind())
    ask(session, do="show")
    film = page_state(session)["film"]
    assert film["of"] == "moment"
    assert film["sentences"] == {
        str(moment): (simulation := kind(moment=moment)).describe(simulation.compute()) for moment in moments
    }


def ask(session: Session, **message: Any) -> None:
    send(session, json.dumps(message))


def page_state(session: Session) -> dict[str, Any]:
    """What the page knows."""
    return dict(session._sent[LIVE])


def messages(session: Session) -> list[tuple[str, Any]]:
    """Types and contents of the messages that a session sends from now on."""
    sent = list[tuple[str, Any]]()

    def take(event: DocumentChangedEvent) -> None:
        if isinstance(event, MessageSentEvent):
            sent.append((event.msg_type, event.msg_data))

    session.document.on_change(take)
    return sent


def test_a_session_shows_and_runs_nothing_before_a_request() -> None:
    session, opened = open_session("explorer", Explorer())
    assert opened == []
    assert session._sent == {}
    assert session.frame is None


def test_the_page_is_sent_what_is_new_and_a_page_that_comes_everything() -> None:
    session, _opened = open_session("published", Published())
    sent = messages(session)
    ask(session, do="show", n=1)
    assert [kind for kind, _data in sent] == [LISTING, LIVE]
    assert sent[1][1]["asked"] == 1
    sent.clear()
    ask(session, do="set", values={"table": "<"}, n=2)
    assert [(kind, data["asked"], len(data["notes"])) for kind, data in sent] == [(LIVE, 2, 1)]
    sent.clear()
    ask(session, do="show", n=3)
    assert [kind for kind, _data in sent] == [LISTING, LIVE]


def test_a_table_is_a_reply_and_what_cannot_be_had_is_none() -> None:
    session, _opened = open_session("published", Published())
    sent = messages(session)
    ask(session, do="table", n=1)
    ask(session, do="exe", n=2)
    assert [kind for kind, _data in sent] == [REPLY]
    assert sent[0][1]["tables"][0]["rows"]


def test_a_run_is_opened_when_it_is_wanted_and_once(playing: tuple[Session, RunSpy]) -> None:
    session, run = playing
    ask(session, do="pause", n=2)
    ask(session, do="play", n=3)
    assert run.told == ["play", "pause", "play"]
    assert page_state(session)["asked"] == 3
    assert page_state(session)["playing"]


def test_without_a_kept_run_the_start_of_a_new_one_is_shown() -> None:
    session, opened = open_session("explorer", Explorer())
    ask(session, do="show")
    assert len(opened) == 1
    assert opened[0].told == []


def test_the_end_of_a_kept_run_is_shown_and_nothing_is_opened(
    monkeypatch: pytest.MonkeyPatch, frames: tuple[Frame, Frame]
) -> None:
    monkeypatch.setattr(session_module.results, "kept", lambda _simulation: frames[1])
    session, opened = open_session("explorer", Explorer())
    ask(session, do="show")
    assert opened == []
    assert session.frame is frames[1]
    assert page_state(session)["kept"]
    ask(session, do="set", values={"depth": "4"})
    assert opened == []
    assert page_state(session)["values"]["depth"] == "4"
    ask(session, do="play")
    assert opened[0].settings["depth"] == 4
    assert opened[0].told == ["play"]


def test_a_page_at_the_start_of_a_run_stays_there_though_its_end_was_kept(
    monkeypatch: pytest.MonkeyPatch, frames: tuple[Frame, Frame]
) -> None:
    monkeypatch.setattr(session_module.results, "kept", lambda _simulation: frames[1])
    session, opened = open_session("explorer", Explorer())
    ask(session, do="show", step=0)
    assert [run.told for run in opened] == [[]]
    assert session.frame is None
    assert not page_state(session)["kept"]


def test_a_change_while_it_plays_begins_the_run_anew_once(playing: tuple[Session, RunSpy]) -> None:
    session, run = playing
    session.change_all({"depth": 40, "norm": "none", "width": 16})
    assert run.told == ["play", "restart"]
    ask(session, do="reset", initial={"depth": "32", "skip": "dense"})
    assert run.told == ["play", "restart", "restart"]
    assert (run.settings["depth"], run.settings["skip"], run.settings["norm"]) == (32, "dense", "pre-layer")


def test_a_change_while_nothing_plays_leaves_the_run_for_another() -> None:
    session, opened = open_session("explorer", Explorer())
    ask(session, do="step")
    ask(session, do="set", values={"depth": "40"})
    assert opened[0].told == ["step", "close"]
    assert opened[1].settings["depth"] == 40


def test_what_is_not_possible_is_noted_and_the_rest_is_taken(playing: tuple[Session, RunSpy]) -> None:
    session, run = playing
    ask(session, do="set", values={"depth": "<script>", "nothing": 1, "width": 8})
    assert run.settings["width"] == 8
    assert run.settings["depth"] == Explorer.param["depth"].default
    assert len(page_state(session)["notes"]) == 2


def test_a_page_that_comes_is_shown_what_it_wants_by_now_and_nothing_before(
    monkeypatch: pytest.MonkeyPatch, frames: tuple[Frame, Frame]
) -> None:
    depths: list[int] = []

    def load(simulation: Explorer) -> Frame:
        depths.append(simulation.depth)
        return frames[1]

    monkeypatch.setattr(session_module.results, "kept", load)
    session, opened = open_session("explorer", Explorer(), notes=["A note of its link."])
    ask(session, do="show", values={"depth": "4"})
    assert (depths, opened) == ([4], [])
    assert page_state(session)["values"]["depth"] == "4"
    session, _opened = open_session("explorer", Explorer(), notes=["A note of its link."])
    ask(session, do="show", values={})
    assert page_state(session)["notes"] == ["A note of its link."]


@pytest.mark.parametrize("values", [None, [], "depth", 7])
def test_a_wish_without_names_is_none(playing: tuple[Session, RunSpy], values: object) -> None:
    session, run = playing
    ask(session, do="set", values=values)
    ask(session, do="show", values=values)
    assert run.told == ["play"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"n": 1}', '{"do": "play", "n": "x"}', "x" * (REQUEST_LIMIT + 1)])
def test_what_is_no_request_is_dropped(text: str) -> None:
    session, opened = open_session("explorer", Explorer())
    send(session, text)
    assert opened == []


def test_a_session_knows_whether_it_is_seen() -> None:
    session, _opened = open_session("insert_identity", InsertIdentity())
    assert session.seen
    ask(session, do="unseen")
    assert not session.seen
    ask(session, do="seen")
    assert session.seen


def test_a_busy_server_says_so() -> None:
    def refuse(*_arguments: object) -> Any:
        raise Busy("Come back later.")

    session = Session(Document(), "explorer", Explorer(), open_run=refuse)
    ask(session, do="play")
    assert (page_state(session)["status"], page_state(session)["message"]) == ("failed", "Come back later.")


def test_changes_that_restart_nothing_restart_nothing(playing: tuple[Session, RunSpy]) -> None:
    session, run = playing
    session.change_all({"pen": "b", "moment": 50})
    assert run.told == ["play"]


def test_as_many_points_as_there_can_be_fit_into_a_request(playing: tuple[Session, RunSpy]) -> None:
    session, run = playing
    points = "a0000b9999" * (LONGEST // 10)
    message = json.dumps({"n": 10**6, "do": "set", "values": {"points": points}})
    assert len(message) < REQUEST_LIMIT
    send(session, message)
    assert run.settings["points"] == points


def click(session: Session, x: Any, y: Any) -> None:
    """Press in the map at a place in its picture, which is 1 wide and 1 high."""
    figure = session.view._maps.figure
    figure._trigger_event(Tap(figure, sx=0, sy=0, x=x, y=y))


@pytest.mark.parametrize(("pen", "points", "x"), [("b", "a5050b7550", 0.755), ("erase", "", 0.5125)])
def test_a_click_on_the_map_adds_and_erases_points(
    playing: tuple[Session, RunSpy], pen: str, points: str, x: float
) -> None:
    session, run = playing
    session.change_all({"task": "own", "points": "a5050", "pen": pen})
    session.view._reach, session.view._maps._mapped = 2.0, [0]
    click(session, x, 0.5075)
    assert run.settings["points"] == points


@pytest.mark.parametrize("place", [("1", 0), (None, None), (float("nan"), 0.0), (1e300, 0.0)])
def test_a_click_from_nowhere_changes_nothing(playing: tuple[Session, RunSpy], place: tuple[Any, Any]) -> None:
    session, _run = playing
    session.change_all({"task": "own", "points": "a5050"})
    click(session, *place)
    assert session.simulation.points == "a5050"


def test_a_click_on_a_given_task_changes_nothing(playing: tuple[Session, RunSpy]) -> None:
    session, run = playing
    click(session, 0.5, 0.5)
    assert run.told == ["play"]


def test_a_change_of_one_value_is_a_change_of_all_of_one() -> None:
    session, opened = open_session("insert_identity", InsertIdentity())
    session.change("inserted", 12)
    assert opened[0].settings["inserted"] == 12


def test_a_frame_that_comes_after_the_end_was_skipped_to_is_dropped_until_the_run_goes_on(
    playing: tuple[Session, RunSpy], monkeypatch: pytest.MonkeyPatch, frames: tuple[Frame, Frame]
) -> None:
    session, run = playing
    early, late = frames
    session.apply_update(Update(early, Status("running")))
    monkeypatch.setattr(session_module.results, "kept", lambda _simulation: late)
    ask(session, do="end")
    assert run.told == ["play", "pause"]
    session.apply_update(Update(early, Status("paused")))
    assert session.frame is late
    assert session.controller.status.state == "paused"
    run.playing = True
    session.apply_update(Update(early, Status("running")))
    assert session.frame is early
    session.show_end()
    run.restart({})
    session.apply_update(Update(early, Status("ready")))
    assert session.frame is early


def test_a_run_that_is_finished_is_kept(playing: tuple[Session, RunSpy], monkeypatch: pytest.MonkeyPatch) -> None:
    session, _run = playing
    saved: list[tuple[Mapping[str, Any], Frame]] = []
    monkeypatch.setattr(
        session_module.results, "keep", lambda simulation, frame: saved.append((simulation.settings(), frame))
    )
    training = Explorer(depth=4, seeds=1, training_steps=400)
    whole = training.compute()

    async def finish() -> None:
        session.apply_update(Update(whole, Status("finished")))
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(finish())
    assert saved == [(session.simulation.settings(), whole)]


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What sessions leave lies in a folder of the test."""
    monkeypatch.setenv("SKIP_RUNS", str(tmp_path))
    monkeypatch.setattr(suspended_runs, "_held", {})


@pytest.mark.usefixtures("left")
def test_a_session_goes_on_with_the_run_that_another_has_left(frames: tuple[Frame, Frame]) -> None:
    async def story() -> None:
        first, runs = open_session("explorer", Explorer(depth=4), owner="reader place")
        ask(first, do="play")
        first.end()
        assert runs[0].told == ["play", "close"]
        second, more = open_session("explorer", Explorer(depth=4), owner="reader place")
        ask(second, do="resume", begun=True, play=True, n=1)
        assert (more[0].begun, more[0].told) == (b"state", ["play"])
        second.apply_update(Update(frames[1], Status("running")))
        assert page_state(second)["notes"] == ["Your run was kept, up to step 5."]

    asyncio.run(story())


@pytest.mark.usefixtures("left")
@pytest.mark.parametrize("is_kept", [False, True])
def test_a_page_that_shows_the_start_trains_from_there(monkeypatch: pytest.MonkeyPatch, is_kept: bool) -> None:
    """Train was pressed before its session was open; another page of the reader has left a run with these settings."""
    monkeypatch.setattr(session_module.results, "is_kept", lambda _simulation: is_kept)

    async def story() -> None:
        first, _runs = open_session("explorer", Explorer(depth=4), owner="reader place")
        ask(first, do="play")
        first.end()
        second, runs = open_session("explorer", Explorer(depth=4), owner="reader place")
        ask(second, do="resume", begun=False, play=True, n=1)
        assert (runs[0].begun, runs[0].told) == (None, ["play"])

    asyncio.run(story())


@pytest.mark.usefixtures("left")
def test_where_nothing_was_left_the_run_restarts_and_the_page_says_so(frames: tuple[Frame, Frame]) -> None:
    session, opened = open_session("explorer", Explorer(), owner="reader place")
    ask(session, do="resume", begun=True)
    assert (opened[0].begun, opened[0].told) == (None, [])
    session.apply_update(Update(frames[0], Status("ready")))
    assert "begun anew" in page_state(session)["notes"][0]


@pytest.mark.usefixtures("left")
def test_where_the_whole_run_was_kept_meanwhile_its_end_is_shown(
    monkeypatch: pytest.MonkeyPatch, frames: tuple[Frame, Frame]
) -> None:
    monkeypatch.setattr(session_module.results, "kept", lambda _simulation: frames[1])
    monkeypatch.setattr(session_module.results, "is_kept", lambda _simulation: True)
    session, opened = open_session("explorer", Explorer(), owner="reader place")
    ask(session, do="resume", begun=True, play=True)
    assert opened == []
    assert session.frame is frames[1]
