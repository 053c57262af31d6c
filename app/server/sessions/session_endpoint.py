"""`/open`: creates a session for a picture that is already on the page, or lets the page do it by itself."""

import json
from functools import partial
from typing import Any

from bokeh.server.session import ServerSession
from bokeh.server.views.session_handler import SessionHandler

from app import settings
from app.bokeh_internals.sessions import application_context, close_connections
from app.live.session import Session
from app.runs.jobs import Busy
from app.server.http.client import address_of
from app.server.http.headers import NO_ORIGIN, NOBODY, SecureHandler, framed_by
from app.server.http.rate import RateLimits
from app.server.sessions.places import HIDDEN, PLAYING, SLOTS, STANDING
from sims.contract.parameters import LONGEST
from sims.contract.simulation import Training
from sims.kept import browser_kernels as kernels
from sims.registry import find, names

APPLICATION = "/app"

REFUSED = "refused"
"""The template variable of a document that holds the reason why there is no session"""

LATER = 1013
"""The code that closes a websocket when its slot is given to another session"""

FRAMED = "embed"
"""The query argument that an embed page sends"""

ABLE = "able"
"""The query argument of a page that can train or calculate its figure by itself"""

HERE = "here"
"""Whether that page shall do it"""

OTHERS = ("bokeh-token", "bokeh-session-id")
"""Arguments and headers with which Bokeh lets a client choose its session; we refuse them"""

PER_ADDRESS = settings.openings()
"""Sessions that one address may open per second, which take a quarter of a core"""

SECONDS_AT_ONCE = 40
"""An address may open as many sessions at once as in this many seconds: a class has one address, and starts together"""

ADDRESSES = RateLimits(PER_ADDRESS, round(PER_ADDRESS * SECONDS_AT_ONCE))
READERS = RateLimits(2, 24)
"""Sessions that one reader may open per second, and at once: a page opens one when its reader reaches for a figure"""

LIVE: dict[str, Session] = {}
"""Every live session, by its id"""


class CreateSessionHandler(SecureHandler, SessionHandler):
    """Replies with a token for the websocket as JSON, with the reason for refusing one, or that none is needed."""

    def __init__(self, tornado_app: Any, *args: Any, **more: Any) -> None:
        context = application_context(tornado_app, APPLICATION)
        super().__init__(tornado_app, *args, application_context=context, bokeh_websocket_path="", **more)

    def set_default_headers(self) -> None:
        """Let no other origin read the reply, except an embedded figure in a sandboxed frame, which has no origin."""
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
        if ABLE in self.request.arguments and page_computes(self.get_argument("simulation", "")):
            self._answer("", "", here=True)
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

    def _answer(self, token: str, refused: str, here: bool = False) -> None:
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps({"token": token, REFUSED: refused} | ({HERE: True} if here else {})))


def page_computes(name: str) -> bool:
    """Whether a page that can train or calculate this simulation by itself shall do it: that is the setting, or it
    trains and the workers are busy. Workers do not calculate."""
    where = settings.training()
    if where == "server" or not kernels.complete(kernels.key()):
        return False
    if where == "browser":
        return True
    busy = sum(live.controller.playing for live in LIVE.values()) >= settings.workers()
    return busy and name in names() and issubclass(find(name), Training)


def framed(session: ServerSession) -> bool:
    """Whether a session was opened by an embed page, and other sites may frame those."""
    context: Any = session.document.session_context
    return FRAMED in context.request.arguments and framed_by() != NOBODY


def rank(live: Session) -> int:
    """The rank of a session's slot: `HIDDEN`, `STANDING` or `PLAYING`."""
    if not live.seen:
        return HIDDEN
    return PLAYING if live.controller.playing else STANDING


def leave(session: ServerSession) -> None:
    """End a session whose slot is given to another one. Its page keeps the picture, and reconnects when it needs to."""
    session.request_expiration()
    close_connections(session, LATER, "The place is given to another reader.")
