"""HTTP routes of class mode: a teacher opens a room, and the pages in it wait for updates by long polling.

| request | who | answer |
|---|---|---|
| `POST rooms` | anybody | `{"code"}`, a code for a room that can be opened |
| `POST room/CODE` with `{"do": …}` | `open`, `join`: anybody; the rest: holders of a token | `{"token"}` or `{}` |
| `GET room/CODE/news?since=&page=` | holders of a token | what is newer than `since`, or `{"ended": "why"}` |
| `GET room/CODE/answers.csv` | the teacher | the answers without their members, as a table |
| `GET room/CODE/code.svg?base=` | anybody | a QR code of the room's address under `base`, which must be on this host |
| `GET room/CODE` | anybody | a redirect to the page for joining |

A request for news waits until there is some, `LONGEST_WAIT` seconds at most. The token is in the header `X-Room`, which
no page of another site can send. Every request to a room has its code in the path, so that a proxy can send all of them
to one server. The reply to a refused request is `{"refused": "a message for the page"}`.
"""

import asyncio
import csv
import io
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import segno
from tornado.ioloop import IOLoop
from tornado.web import HTTPError

from app import settings
from app.pages.data.site_url import ADDRESS
from app.pages.files.sources import INVENTORY
from app.server.builders.site import SITE
from app.server.classroom.room_answers import forms
from app.server.classroom.room_inventory import items, rounds
from app.server.classroom.rooms import LASTING, LENGTH, SHOWN, SIGNS, SOLVED, Room, RoomError, Rooms
from app.server.http.client import address_of
from app.server.http.headers import SecureHandler
from app.server.http.rate import RateLimits

ROOMS = Rooms(settings.rooms())
"""The rooms of this server; none with SKIP_ROOMS=0."""

TOKEN = "X-Room"
LONGEST_WAIT = 20.0
"""Seconds that a request for news may wait; proxies give up after 60."""
WAITS = 4
"""Requests for news of one member that may wait at once: one for each open tab"""

OPENINGS = RateLimits(1 / 30, 20)
"""Rooms that one address may open per second, and in one burst: a school has one address and many teachers."""
JOINS = RateLimits(2, 200)
"""The same for joining. It also limits how fast codes can be guessed: of 64 million, fifty are in use."""
ADDRESSES = RateLimits(100, 800)
"""Requests from one address: enough for three classes in the same minute"""
TOKENS = RateLimits(5, 40)
"""Requests with one token, that is, from one member or teacher"""

PLACE = re.compile(r"([\w-]*)(\?[\w.%&=+*~-]*)?(#[\w-]{0,80})?", re.ASCII)
LONGEST_PLACE = 1500
STAGES = {"answers": SHOWN, "result": SOLVED}
OFTEN = "That is too often; the page tries again by itself."

_waits: dict[str, int] = {}


class RoomHandler(SecureHandler):
    """Base of the handlers of rooms: JSON replies that are not cached, rate limits, and tokens."""

    def send_json(self, answer: Mapping[str, Any]) -> None:
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(answer))

    def prepare(self) -> None:
        try:
            self.limit(ADDRESSES)
        except RoomError as denied:
            self.refuse(denied)

    def refuse(self, denied: RoomError) -> None:
        self.set_status(denied.status)
        self.send_json({"refused": denied.message})

    def write_error(self, status_code: int, **_more: Any) -> None:
        self.send_json({"refused": f"The server answers {status_code} {self._reason}."})

    def limit(self, rates: RateLimits) -> None:
        """Raises RoomError if the address of this request exceeds the rate limit."""
        if not rates.allows(address_of(self.request)):
            raise RoomError(429, OFTEN)

    def token(self) -> str:
        """The token in the header. Raises RoomError if there is none, as in a request from a page of another site."""
        token = self.request.headers.get(TOKEN, "")
        if not token or len(token) > 40:
            raise RoomError(403, "Rooms are entered from the pages of this site.")
        return token

    def member(self, code: str) -> tuple[Room, str, bool]:
        """The room, the token, and whether it is the teacher's. Raises RoomError for an unknown token."""
        token = self.token()
        if not TOKENS.allows(token):
            raise RoomError(429, OFTEN)
        room = ROOMS.find(code)
        return room, token, room.check_in(token)


class NewCodeHandler(RoomHandler):
    """Sends a code for a new room. The room is opened by a request to its own path, so a proxy can route by code."""

    def post(self) -> None:
        try:
            self.token()
            self.send_json({"code": ROOMS.new_code()})
        except RoomError as denied:
            self.refuse(denied)


class JoinRedirectHandler(RoomHandler):
    """Redirects an address with a typed code to the page for joining, which says whether the code is valid."""

    def get(self, typed: str) -> None:
        self.redirect(f"../room?room={typed.upper()}")


class RoomActionHandler(JoinRedirectHandler):
    """Handles the actions of teachers and members in a room; for GET, redirects to the page for joining."""

    async def post(self, code: str) -> None:
        try:
            payload = self._payload()
            do = payload["do"] if isinstance(payload.get("do"), str) else ""
            if do == "open":
                self.token()
                self.limit(OPENINGS)
                room = ROOMS.open(code)
                IOLoop.current().call_later(LASTING + 1, ROOMS.tidy)
                self.send_json({"token": room.key})
            elif do == "join":
                self.token()
                self.limit(JOINS)
                self.send_json({"token": ROOMS.find(code).join()})
            else:
                room, token, teacher = self.member(code)
                acts = TEACHERS if teacher else STUDENTS
                if do not in acts:
                    raise RoomError(403, "Only the teacher may do this." if do in TEACHERS else "Nobody can do this.")
                await acts[do](room, token, payload)
                self.send_json({})
        except RoomError as denied:
            self.refuse(denied)

    def _payload(self) -> dict[str, Any]:
        try:
            payload = json.loads(self.request.body)
        except (ValueError, RecursionError):
            payload = None
        if not isinstance(payload, dict):
            raise RoomError(400, "A request to a room is a JSON object.")
        return payload


class RoomUpdatesHandler(RoomHandler):
    """Long polling: replies when the room has changed since the version that the page has seen."""

    waited: asyncio.Future[None] | None = None

    async def get(self, code: str) -> None:
        try:
            room, token, _teacher = self.member(code)
            since = self.get_argument("since", "0")
            if _waits.get(token, 0) >= WAITS:
                raise RoomError(429, "This room is open in too many tabs.")
            await self._wait(room, token, int(since) if re.fullmatch(r"\d{1,9}", since) else 0)
            if self.waited is None or self.waited.cancelled():
                return
            self.send_json({"ended": room.ended} if room.ended else room.seen_by(token, self.get_argument("page", "")))
        except RoomError as denied:
            if denied.status == 404:
                self.send_json({"ended": denied.message})
            else:
                self.refuse(denied)

    async def _wait(self, room: Room, token: str, since: int) -> None:
        self.waited = room.next_change(since)
        _waits[token] = _waits.get(token, 0) + 1
        timer = IOLoop.current().call_later(LONGEST_WAIT, self._enough)
        try:
            await asyncio.wait({self.waited})
        finally:
            IOLoop.current().remove_timeout(timer)
            _waits[token] -= 1
            if not _waits[token]:
                del _waits[token]

    def _enough(self) -> None:
        if self.waited is not None and not self.waited.done():
            self.waited.set_result(None)

    def on_connection_close(self) -> None:
        if self.waited is not None:
            self.waited.cancel()


class AnswersHandler(RoomHandler):
    """All answers of a room as CSV for its teacher: page, prediction, its type, and the answer; no row says whose it
    is."""

    async def get(self, code: str) -> None:
        try:
            room, _token, teacher = self.member(code)
            if not teacher:
                raise RoomError(403, "Only the teacher may do this.")
        except RoomError as denied:
            self.refuse(denied)
            return
        kinds = {page: forms((await SITE.page(page)).html) for page in {row[0] for row in room.rows()}}
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow(("page", "prediction", "type", "answer", "sure"))
        for page, exercise, answer in room.rows():
            kind = kinds[page][exercise].kind if exercise in kinds[page] else ""
            table.writerow((page, exercise, kind, *_cells(answer)))
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.set_header("Content-Disposition", f'attachment; filename="room-{code}.csv"')
        self.set_header("Cache-Control", "no-store")
        self.finish(text.getvalue())


def _cells(answer: Any) -> tuple[str, str]:
    """An answer for two columns: what it says, and how sure its member is, in percent. The parts of a list are
    separated by spaces."""
    if isinstance(answer, Mapping):
        return str(answer["said"]), str(answer["sure"])
    return (" ".join(map(str, answer)) if isinstance(answer, list) else str(answer)), ""


class QrCodeHandler(RoomHandler):
    """The address of a room as a QR code, black on white in both themes: a camera has to read it from a projector."""

    def get(self, code: str) -> None:
        base = self.get_argument("base", "")
        if len(base) > 200 or not ADDRESS.fullmatch(base) or urlsplit(base).netloc != self.request.host:
            raise HTTPError(400)
        image = io.BytesIO()
        segno.make(f"{base.rstrip('/')}/room/{code}", error="m", micro=False).save(
            image, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True
        )
        self.set_header("Content-Type", "image/svg+xml")
        self.set_header("Cache-Control", "no-store")
        self.finish(image.getvalue())


async def _question(payload: Mapping[str, Any]) -> tuple[str, str]:
    """The page and the id of the prediction in a request. Raises RoomError if there is no such prediction."""
    page, exercise = payload.get("page"), payload.get("exercise")
    if isinstance(page, str) and page in SITE.slugs() and exercise in forms((await SITE.page(page)).html):
        return page, str(exercise)
    raise RoomError(400, "There is no such question.")


async def _answer(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    page, exercise = await _question(payload)
    try:
        answer = forms((await SITE.page(page)).html)[exercise].validated(payload.get("answer"))
    except ValueError as error:
        raise RoomError(400, f"This is no answer: {error}.") from None
    room.answer(token, page, exercise, answer)


async def _count_inventory(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    try:
        known = items((await SITE.page(INVENTORY)).html)
        before, after = rounds(known, payload.get("first"), payload.get("answers"))
    except ValueError as error:
        raise RoomError(400, f"These are no answers: {error}.") from None
    room.count_inventory(token, before, after)


async def _show_inventory(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    room.show_inventory()


async def _leave(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    room.leave(token)


async def _show(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    page, exercise = await _question(payload)
    stage = payload.get("stage")
    if not isinstance(stage, str) or stage not in STAGES:
        raise RoomError(400, f"What is shown is one of {', '.join(STAGES)}.")
    room.show(page, exercise, STAGES[stage])


async def _call(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    place = payload.get("place")
    match = PLACE.fullmatch(place) if isinstance(place, str) and len(place) <= LONGEST_PLACE else None
    if match is None or (match[1] and match[1] not in (*SITE.slugs(), *SITE.sources.beside())):
        raise RoomError(400, "There is no such place on this site.")
    room.call(match[0])


async def _close(room: Room, token: str, payload: Mapping[str, Any]) -> None:
    ROOMS.close(room)


Act = Callable[[Room, str, Mapping[str, Any]], Awaitable[None]]
STUDENTS: Mapping[str, Act] = {"answer": _answer, "count": _count_inventory, "leave": _leave}
TEACHERS: Mapping[str, Act] = {"show": _show, "table": _show_inventory, "call": _call, "close": _close}

CODE = f"([{SIGNS}]{{{LENGTH}}})"
ROUTES: list[tuple[str, Any]] = [
    (r"/rooms", NewCodeHandler),
    (rf"/room/{CODE}", RoomActionHandler),
    (rf"/room/{CODE}/news", RoomUpdatesHandler),
    (rf"/room/{CODE}/answers\.csv", AnswersHandler),
    (rf"/room/{CODE}/code\.svg", QrCodeHandler),
    (r"/room/([A-Za-z0-9]{1,12})", JoinRedirectHandler),
]
