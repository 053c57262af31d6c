"""`/open`: a session of the application for a picture that the page has already."""

import json
from functools import partial
from typing import Any

from bokeh.server.session import ServerSession
from bokeh.server.views.session_handler import SessionHandler

from app import settings
from app.live.session import Session
from app.runs.jobs import Busy
from app.server.http.client import address_of
from app.server.http.headers import NO_ORIGIN, NOBODY, SecureHandler, framed_by
from app.server.http.rate import RateLimits
from app.server.sessions.places import HIDDEN, PLAYING, SLOTS, STANDING
from sims.contract.parameters import LONGEST

APPLICATION = "/app"

REFUSED = "refused"
"""The variable of a document's template that says why there is no session"""

LATER = 1013
"""The code with which a websocket is closed whose place is given to somebody else"""

FRAMED = "embed"
"""The argument with which a page that holds one figure alone says so"""

OTHERS = ("bokeh-token", "bokeh-session-id")
"""Arguments and headers with which Bokeh lets a client name its session"""

PER_ADDRESS = settings.openings()
"""Sessions that one address may open a second: a quarter of a core. A school has one address and many readers, who come
in at the same moment: at once it may open as many as in so many seconds."""

SECONDS_AT_ONCE = 40

ADDRESSES = RateLimits(PER_ADDRESS, round(PER_ADDRESS * SECONDS_AT_ONCE))
READERS = RateLimits(2, 24)
"""One page opens a session where its reader reaches for a figure."""

LIVE: dict[str, Session] = {}
"""Every live simulation, by the id of its session"""


class CreateSessionHandler(SecureHandler, SessionHandler):
    """Answers with a token for the websocket as JSON, or with the reason why there is none."""

    def __init__(self, tornado_app: Any, *args: Any, **more: Any) -> None:
        context = tornado_app._applications[APPLICATION]
        super().__init__(tornado_app, *args, application_context=context, bokeh_websocket_path="", **more)

    def set_default_headers(self) -> None:
        """Pages of other origins cannot read the answer, but for a figure in a sandboxed frame, which has no origin."""
        super().set_default_headers()
        alone = FRAMED in self.request.arguments and self.request.headers.get("Origin") == NO_ORIGIN
        if alone and framed_by() != NOBODY:
            self.set_header("Access-Control-Allow-Origin", NO_ORIGIN)

    async def get(self) -> None:
        if any(name in self.request.arguments or name in self.request.headers for name in OTHERS):
            self._answer("", "A session is given by the server.")
            return
        address, reader = address_of(self.request), self.get_argument("reader", "")[:LONGEST]
        if not (ADDRESSES.allows(address) and READERS.allows((address, reader))):
            self.set_status(429)
            self._answer("", "Too many simulations are opened from here at once.")
            return
        try:
            place = SLOTS.acquire(address, reader)
        except Busy as busy:
            self._answer("", str(busy))
            return
        try:
            session: Any = await self.get_session()  # type: ignore[misc]
        except BaseException:
            SLOTS.release(place)
            raise
        live = LIVE.get(session.id)
        if live is None:
            SLOTS.release(place)
            session.request_expiration()
            self._answer("", session.document.template_variables.get(REFUSED, "This could not be opened."))
            return
        place.rank, place.leave = partial(rank, live), partial(leave, session)
        session.document.on_session_destroyed(lambda _context: SLOTS.release(place))
        self._answer(session.token, "")

    def write_error(self, status_code: int, **_more: Any) -> None:
        self._answer("", f"The server answers {status_code} {self._reason}.")

    def _answer(self, token: str, refused: str) -> None:
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps({"token": token, REFUSED: refused}))


def framed(session: ServerSession) -> bool:
    """Whether a session was opened for a page that holds one figure alone, which others may frame."""
    context: Any = session.document.session_context
    return FRAMED in context.request.arguments and framed_by() != NOBODY


def rank(live: Session) -> int:
    """How much the place of a simulation is missed."""
    if not live.seen:
        return HIDDEN
    return PLAYING if live.controller.playing else STANDING


def leave(session: ServerSession) -> None:
    """End a session whose place is given to somebody else; its page keeps the picture, and asks again when it must."""
    session.request_expiration()
    for connection in list(session._subscribed_connections):
        connection._socket.close(LATER, "The place is given to another reader.")
