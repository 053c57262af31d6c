"""Rooms over HTTP: a class behind one address gets through, and whoever sends something else is told so in a word."""

import asyncio
import csv
import io
import json
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application

from app.pages.output import site_builder
from app.pages.output.cached_page import CachedPage
from app.server.builders.site import SITE
from app.server.classroom import room_routes, rooms
from app.server.classroom.rooms import CLOSED, FEW, GONE, SENT, Rooms
from app.server.http.headers import HEADERS
from app.server.http.rate import RateLimits

ANYBODY = "anybody"
CLASS = 40
Story = Callable[["Site"], Awaitable[None]]


@cache
def inventory() -> dict[str, int]:
    """A wrong answer to every item of form A, and the right one to those of form B"""
    return {
        item.id: next(number for number, option in enumerate(item.options, 1) if option.right == (item.form == "B"))
        for item in site_builder.current().concepts.items.values()
    }


class Site:
    """A server that has the routes of rooms, and those who speak with it."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.client = AsyncHTTPClient(force_instance=True, max_clients=2 * CLASS)

    async def ask(self, path: str, token: str = "", **options: Any) -> HTTPResponse:
        headers = {"X-Room": token} if token else {}
        return await self.client.fetch(
            self.url + path, raise_error=False, follow_redirects=False, headers=headers, **options
        )

    async def post(self, path: str, token: str = ANYBODY, content: Any = None) -> tuple[int, dict[str, Any]]:
        body = content if isinstance(content, bytes) else json.dumps(content or {})
        answer = await self.ask(path, token, method="POST", body=body)
        assert HEADERS.items() <= dict(answer.headers.get_all()).items()
        return answer.code, json.loads(answer.body)

    async def open(self) -> tuple[str, str]:
        """The address of a new room, and the token of its teacher."""
        _status, proposed = await self.post("/rooms")
        room = f"/room/{proposed['code']}"
        status, opened = await self.post(room, content={"do": "open"})
        assert status == 200, opened
        return room, opened["token"]

    async def join(self, room: str) -> str:
        status, joined = await self.post(room, content={"do": "join"})
        assert status == 200, joined
        return str(joined["token"])

    async def next_change(self, room: str, token: str, since: object = 0, page: str = "degradation") -> dict[str, Any]:
        answer = await self.ask(f"{room}/news?since={since}&page={page}", token)
        assert answer.code == 200, answer.body
        assert answer.headers["Cache-Control"] == "no-store"
        return dict(json.loads(answer.body))


@pytest.fixture
def tell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Story], None]]:
    """Run a story with a server of its own, whose rooms and rates nobody has used."""
    pages = {slug: site_builder.current().html(slug) for slug in ("degradation", "inventory")}

    async def page(slug: str) -> CachedPage:
        return CachedPage(slug, pages.get(slug, ""))

    monkeypatch.setattr(SITE, "page", page)
    monkeypatch.setattr(room_routes, "ROOMS", Rooms(20))
    for name in ("OPENINGS", "JOINS", "ADDRESSES", "TOKENS"):
        monkeypatch.setattr(room_routes, name, RateLimits(*getattr(room_routes, name).rate))
    monkeypatch.setattr(rooms, "GATHERED", 0.0)

    async def run(story: Story) -> None:
        server = HTTPServer(Application(room_routes.ROUTES, log_function=lambda handler: None))
        socket, port = bind_unused_port()
        server.add_socket(socket)
        site = Site(port)
        try:
            await story(site)
        finally:
            server.stop()
            site.client.close()
            await server.close_all_connections()

    return lambda story: asyncio.run(asyncio.wait_for(run(story), 60))


def test_a_lesson_from_the_first_answer_to_the_end(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        first, second = await site.join(room), await site.join(room)
        question = {"page": "degradation", "exercise": "p-insert"}
        for token, choice in ((first, 2), (second, 1)):
            assert await site.post(room, token, {"do": "answer", "answer": choice, **question}) == (200, {})
        news = await site.next_change(room, teacher)
        assert news["people"] == 2
        assert news["questions"]["p-insert"] == {"count": 2, "stage": 0, "answers": None, "mine": None}
        waiting = asyncio.create_task(site.next_change(room, first, news["version"]))
        assert await site.post(room, teacher, {"do": "show", "stage": "answers", **question}) == (200, {})
        assert (await waiting)["questions"]["p-insert"] == {"count": 2, "stage": 1, "answers": [1, 2], "mine": 2}
        place = "shortcut?identity.initialization=orthogonal&v=2#identity"
        assert await site.post(room, teacher, {"do": "call", "place": place}) == (200, {})
        assert (await site.next_change(room, second))["place"] == place
        assert await site.post(room, second, {"do": "leave"}) == (200, {})
        since = (await site.next_change(room, first))["version"]
        waiting = asyncio.create_task(site.next_change(room, first, since))
        while not room_routes._waits:
            await asyncio.sleep(0)
        assert await site.post(room, teacher, {"do": "close"}) == (200, {})
        assert await waiting == {"ended": CLOSED}
        assert await site.next_change(room, first) == {"ended": CLOSED}
        assert not room_routes._waits

    tell(story)


def test_a_teacher_saves_the_answers_as_a_table_that_tells_nobody_apart(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        tokens = [await site.join(room) for _ in range(3)]
        for token, choice in zip(tokens, (3, 1, 2), strict=True):
            request = {"do": "answer", "page": "degradation", "exercise": "p-insert", "answer": choice}
            await site.post(room, token, request)
        curve = {"page": "degradation", "exercise": "p-curve", "answer": [0.1, 0.2, 0.3, 0.4, 0.5]}
        await site.post(room, tokens[0], {"do": "answer", **curve})
        table = await site.ask(f"{room}/answers.csv", teacher)
        assert table.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert table.headers["Cache-Control"] == "no-store"
        assert list(csv.reader(io.StringIO(table.body.decode()))) == [
            ["page", "prediction", "type", "answer", "sure"],
            *(["degradation", "p-insert", "choice", str(choice), ""] for choice in (1, 2, 3)),
            ["degradation", "p-curve", "draw", "0.1 0.2 0.3 0.4 0.5", ""],
        ]
        assert not any(token in table.body.decode() for token in (*tokens, teacher))
        assert (await site.ask(f"{room}/answers.csv", tokens[0])).code == 403
        assert (await site.ask(f"{room}/answers.csv", "nobody")).code == 404

    tell(story)


def test_how_sure_somebody_was_has_a_column_of_its_own() -> None:
    assert room_routes._cells({"said": "yes", "sure": 70}) == ("yes", "70")


def test_a_class_sends_its_two_rounds_of_the_inventory_and_the_teacher_sees_counts(
    tell: Callable[[Story], None],
) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        tokens = [await site.join(room) for _ in range(10)]
        sent = {"do": "count", "first": "A", "answers": inventory()}
        for token in tokens[:9]:
            assert await site.post(room, token, sent) == (200, {})
        assert await site.post(room, tokens[0], sent) == (409, {"refused": SENT})
        assert await site.post(room, teacher, {"do": "table"}) == (409, {"refused": FEW})
        assert await site.post(room, tokens[0], {"do": "table"}) == (403, {"refused": "Only the teacher may do this."})
        assert (await site.post(room, teacher, sent))[0] == 403
        assert await site.post(room, tokens[9], {**sent, "first": "B"}) == (200, {})
        assert await site.post(room, teacher, {"do": "table"}) == (200, {})
        seen = (await site.next_change(room, teacher, page="inventory"))["inventory"]
        assert (seen["sent"], seen["mine"], seen["table"]["people"]) == (10, False, 10)
        assert set(map(str, seen["table"]["concepts"].values())) == {"[[0, 1], [9, 0]]"}
        assert not any(token in json.dumps(seen) for token in tokens)
        mine = (await site.next_change(room, tokens[0], page="inventory"))["inventory"]
        assert mine == {"sent": 10, "mine": True, "table": None}
        assert "inventory" not in await site.next_change(room, teacher)

    tell(story)


@pytest.mark.parametrize(
    "content",
    [
        {"do": "count"},
        {"do": "count", "first": "A", "answers": {}},
        {"do": "count", "first": ["A"], "answers": {"A-contains": 1}},
        {"do": "count", "first": "A", "answers": {**inventory(), "A-contains": 9}},
        {"do": "count", "first": "A", "answers": {**inventory(), "A-contains": "<b>"}},
        {"do": "count", "first": "A", "answers": {**inventory(), "A-name": 1}},
        {"do": "count", "first": "C", "answers": inventory()},
        {"do": "count", "first": "A", "answers": [*inventory().values()]},
    ],
)
def test_what_answers_no_inventory_is_refused_and_the_member_can_still_send(
    content: Any, tell: Callable[[Story], None]
) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        token = await site.join(room)
        status, reply = await site.post(room, token, content)
        assert status == 400
        assert "These are no answers" in reply["refused"]
        assert (await site.next_change(room, teacher, page="inventory"))["inventory"]["sent"] == 0
        assert await site.post(room, token, {"do": "count", "first": "A", "answers": inventory()}) == (200, {})

    tell(story)


def test_a_class_behind_one_address_comes_in_and_answers_at_once(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        tokens = await asyncio.gather(*(site.join(room) for _ in range(CLASS)))
        request = {"do": "answer", "page": "degradation", "exercise": "p-insert", "answer": 1}
        answers = await asyncio.gather(*(site.post(room, token, request) for token in tokens))
        assert answers == [(200, {})] * CLASS
        assert (await site.next_change(room, teacher))["questions"]["p-insert"]["count"] == CLASS
        news = await asyncio.gather(*(site.next_change(room, token) for token in tokens))
        assert {state["people"] for state in news} == {CLASS}

    tell(story)


def test_a_page_of_another_site_can_do_nothing(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        assert (await site.post("/rooms", ""))[0] == 403
        assert (await site.post("/room/CCCCCC", "", {"do": "open"}))[0] == 403
        assert (await site.ask("/room/CCCCCC", method="OPTIONS")).code == 405

    tell(story)


def test_a_stranger_gets_the_same_answer_as_for_a_missing_room(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, _teacher = await site.open()
        for path in (room, "/room/CCCCCC"):
            assert await site.next_change(path, "stranger") == {"ended": GONE}
            assert await site.post(path, "stranger", {"do": "close"}) == (404, {"refused": GONE})
        assert (await site.post("/room/CCCCCC", content={"do": "join"}))[0] == 404

    tell(story)


def test_a_student_is_no_teacher(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        token = await site.join(room)
        question = {"page": "degradation", "exercise": "p-insert"}
        for request in (
            {"do": "show", "stage": "result", **question},
            {"do": "call", "place": "shortcut"},
            {"do": "close"},
        ):
            assert await site.post(room, token, request) == (403, {"refused": "Only the teacher may do this."})
        assert (await site.post(room, teacher, {"do": "answer", "answer": 1, **question}))[0] == 403

    tell(story)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b"[" * 4000,
        {"do": "answer"},
        {"do": "answer", "page": "degradation", "exercise": "p-insert", "answer": 9},
        {"do": "answer", "page": "degradation", "exercise": "p-insert", "answer": {"a": []}},
        {"do": "answer", "page": "degradation", "exercise": "nothing", "answer": 1},
        {"do": "answer", "page": "../degradation", "exercise": "p-insert", "answer": 1},
        {"do": "answer", "page": ["degradation"], "exercise": ["p-insert"], "answer": 1},
        b'{"do": "answer", "page": "degradation", "exercise": "p-curve", "answer": [NaN, 1, 1, 1, 1]}',
    ],
)
def test_what_is_no_answer_is_refused(content: Any, tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        status, reply = await site.post(room, await site.join(room), content)
        assert status == 400
        assert reply["refused"]
        assert (await site.next_change(room, teacher))["questions"] == {}

    tell(story)


@pytest.mark.parametrize("do", ["destroy", "", None, 3, ["close"], {"close": 1}])
def test_what_nobody_can_do_is_refused(do: Any, tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        assert await site.post(room, teacher, {"do": do}) == (403, {"refused": "Nobody can do this."})

    tell(story)


@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example/",
        "//evil.example",
        "javascript:alert(1)",
        "../app",
        "nowhere",
        "degradation/",
        "degradation?a=<b>",
        "degradation#a b",
        "degradation\n",
        "degradation?" + 1500 * "a",
        None,
        ["degradation"],
    ],
)
def test_a_class_is_called_to_places_of_this_site_only(place: Any, tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        assert (await site.post(room, teacher, {"do": "call", "place": place}))[0] == 400
        assert (await site.next_change(room, teacher))["calls"] == 0

    tell(story)


@pytest.mark.parametrize(
    "place", ["", "#what-is-true", "claims?verdict=false#A-09", "claim-A-09", "sheet-shortcut", "degradation#p-insert"]
)
def test_every_page_is_such_a_place(place: str, tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        assert await site.post(room, teacher, {"do": "call", "place": place}) == (200, {})

    tell(story)


@pytest.mark.parametrize("name", ["OPENINGS", "ADDRESSES", "JOINS", "TOKENS"])
def test_too_many_requests_get_an_answer_that_says_so(
    name: str, tell: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        monkeypatch.setattr(room_routes, name, RateLimits(0, 2))
        request = {"OPENINGS": {"do": "open"}, "JOINS": {"do": "join"}}.get(name, {"do": "call", "place": "shortcut"})
        paths = ("/room/CCCCCC", "/room/DDDDDD", "/room/FFFFFF") if name == "OPENINGS" else 3 * (room,)
        replies = [await site.post(path, teacher, request) for path in paths]
        assert [status for status, _told in replies] == [200, 200, 429]
        assert "often" in replies[-1][1]["refused"]

    tell(story)


def test_waiting_ends_by_itself_and_in_too_many_tabs_at_once(
    tell: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        since = (await site.next_change(room, teacher))["version"]
        for odd in ("x", "-1", "9" * 30):
            assert (await site.next_change(room, teacher, odd))["version"] == since
        tabs = [asyncio.create_task(site.next_change(room, teacher, since)) for _ in range(room_routes.WAITS)]
        while room_routes._waits != {teacher: room_routes.WAITS}:
            await asyncio.sleep(0)
        assert (await site.ask(f"{room}/news?since={since}", teacher)).code == 429
        assert {state["version"] for state in await asyncio.gather(*tabs)} == {since}
        assert not room_routes._waits

    monkeypatch.setattr(room_routes, "LONGEST_WAIT", 0.5)
    tell(story)


def test_a_tab_that_is_closed_waits_no_longer(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        room, teacher = await site.open()
        since = (await site.next_change(room, teacher))["version"]
        host, port = site.url.removeprefix("http://").split(":")
        _reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET {room}/news?since={since} HTTP/1.1\r\nHost: x\r\nX-Room: {teacher}\r\n\r\n".encode())
        while not room_routes._waits:
            await asyncio.sleep(0)
        writer.close()
        while room_routes._waits:
            await asyncio.sleep(0)

    tell(story)


def test_the_code_to_scan_leads_to_this_host_only(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        answer = await site.ask(f"/room/CCCCCC/code.svg?base={site.url}/skip/")
        assert (answer.code, answer.headers["Content-Type"]) == (200, "image/svg+xml")
        assert answer.body.startswith(b"<svg")
        for base in ("https://evil.example/", "", f"{site.url}@evil.example/", f"javascript:{site.url}", "/"):
            assert (await site.ask(f"/room/CCCCCC/code.svg?base={base}")).code == 400

    tell(story)


def test_a_typed_code_leads_to_the_page_on_which_one_joins(tell: Callable[[Story], None]) -> None:
    async def story(site: Site) -> None:
        for typed, code in (("CCCCCC", "CCCCCC"), ("cdfghj", "CDFGHJ"), ("lo0", "LO0")):
            answer = await site.ask(f"/room/{typed}")
            assert (answer.code, answer.headers["Location"]) == (302, f"../room?room={code}")

    tell(story)
