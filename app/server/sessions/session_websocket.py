"""WebSocket handler that accepts only messages our page sends, and closes the connection otherwise, with a reason."""

import asyncio
import json
import logging
from collections import deque
from typing import Any

from bokeh.server.session import ServerSession
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketHandler

from app import settings
from app.bokeh_internals.message_validation import InvalidMessage, check_header, dragged_model, validate_events
from app.bokeh_internals.sessions import SessionJoiningHandler
from app.server.http.headers import NO_ORIGIN, SecureHandler
from app.server.http.rate import RateLimit
from app.server.sessions.session_endpoint import framed

log = logging.getLogger(__name__)

MESSAGE_LIMIT = 64 * 1024
"""Most bytes of one message. Our page's messages stay below 3 kB, and below 20 kB with queued gestures."""

AGAINST_THE_RULES = 1008
"""The code that closes a websocket after an invalid message (policy violation, RFC 6455)"""

TOO_MANY = "There are too many messages at once."
NO_SESSION = "There is no such session; the page opens another."

MESSAGES = 200, 400
"""Messages that a connection may send: per second in the long run, and in one burst. A page sends at most 60 a second;
on a bad line they arrive in bursts."""

WAITING = 64
"""Most events in the queue. A page waits for the reply to a request before it sends the next, and of a drag only the
latest move is queued."""

HEADER = json.dumps({"msgid": "", "msgtype": "PATCH-DOC"})


class SessionWebSocket(SecureHandler, SessionJoiningHandler):
    """The connection of a page to its session, which `/open` created and which ends when the connection does.

    A message is three texts: header, metadata and content. Bokeh gets only the events that `validate_events` rebuilds,
    one at a time, so that other sessions get their turn in between. The page receives the resulting changes, and no
    other reply.
    """

    max_message_size = MESSAGE_LIMIT

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._parts: list[str] = []
        self._rate = RateLimit(*MESSAGES)
        self._waiting: deque[dict[str, Any]] = deque()
        self._work: asyncio.Task[None] | None = None
        self._session: ServerSession | None = None
        self._refused = self._sandboxed = False

    def check_origin(self, origin: str) -> bool:
        """Whether a page from `origin` may connect: from a host in `SKIP_ORIGINS`, or by default from our own.

        A sandboxed frame has no origin and may connect; `_awaited` then admits it only to a session of an embed page.
        """
        self._sandboxed = origin == NO_ORIGIN
        if self._sandboxed:
            return True
        allowed = settings.origins()
        if allowed:
            return origin.partition("//")[2] in allowed
        return WebSocketHandler.check_origin(self, origin)

    def open(self, *args: Any, **more: Any) -> None:
        """Accept the token of a session that exists and has no connection; no other token is even decoded."""
        if self._awaited():
            # Each message is sent in parts. With Nagle's algorithm the second part would wait for the acknowledgment of
            # the first: 40 ms, or a round trip.
            self.set_nodelay(True)
            super().open(*args, **more)
        else:
            self._refuse(NO_SESSION)

    def joins(self) -> bool:
        """Whether the session still exists and waits for this page; otherwise close the connection."""
        self._session = self._awaited()
        if self._session is None:
            self._refuse(NO_SESSION)
        return self._session is not None

    def _awaited(self) -> ServerSession | None:
        """The session of the token, if it still waits for its first connection and this page may have it."""
        session = self.requested_session()
        if session is None or session.expiration_requested or session.connection_count:
            return None
        return None if self._sandboxed and not framed(session) else session

    def on_message(self, fragment: str | bytes) -> None:
        """Handle a part at once: Bokeh's task for each part would form a queue that no limit applies to."""
        if self._refused:
            return
        try:
            self._take(fragment)
        except InvalidMessage as refused:
            self._refuse(str(refused))

    def on_ping(self, _data: bytes) -> None:
        """Limit pings: a pong is written for each of them, whether the client reads it or not."""
        if not self._rate.allows():
            self._refuse("There are too many pings.")

    def on_close(self) -> None:
        """End the session: no page ever reconnects to it."""
        self._waiting.clear()
        self.forget_detached_connection()
        super().on_close()
        if self._session is not None:
            self._session.request_expiration()
            IOLoop.current().add_callback(self._end, self._session)

    def _take(self, fragment: str | bytes) -> None:
        """Add a part of a message; queue its events after the last part. Raises InvalidMessage."""
        if not isinstance(fragment, str):
            raise InvalidMessage("A message is text.")
        if self._session is None or self.connection is None:
            raise InvalidMessage("The server speaks first.")
        self._parts.append(fragment)
        if len(self._parts) == 1:
            check_header(fragment)
            if not self._rate.allows():
                raise InvalidMessage(TOO_MANY)
        elif len(self._parts) == 2 and fragment != "{}":
            raise InvalidMessage("A message has no metadata.")
        elif len(self._parts) == 3:
            self._parts = []
            self._queue(validate_events(fragment, self._session.document))

    def _queue(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            if dragged_model(event) and self._waiting and dragged_model(self._waiting[-1]) == dragged_model(event):
                self._waiting.pop()
            self._waiting.append(event)
        if len(self._waiting) > WAITING:
            raise InvalidMessage(TOO_MANY)
        if self._waiting and (self._work is None or self._work.done()):
            self._work = asyncio.get_running_loop().create_task(self._apply())

    async def _apply(self) -> None:
        """Let Bokeh apply the queued events. Errors are logged and not sent to the page."""
        while self._waiting:
            content = json.dumps({"events": [self._waiting.popleft()]})
            try:
                message = self.connection.protocol.assemble(HEADER, "{}", content)
                patched: Any = ServerSession.patch(message, self.connection)
                await patched
            except Exception:
                log.exception("A message from a page could not be applied")
            await asyncio.sleep(0)

    def _refuse(self, reason: str) -> None:
        log.info("Closing a websocket: %s", reason)
        self._refused = True
        self._parts = []
        self._waiting.clear()
        self.close(AGAINST_THE_RULES, reason)

    async def _end(self, session: ServerSession) -> None:
        if not (session.destroyed or session.expiration_blocked or session.connection_count):
            await self.discard(session)
