"""The websocket of a session: it takes what a page sends, and hangs up on everything else with a reason."""

import json
import logging
import os
from typing import Any

from bokeh.server.session import ServerSession
from bokeh.util.token import get_session_id
from panel.io.server import WSHandler
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketHandler

from app.server.admitted import Heard, Refused, heard, identifier
from app.server.headers import safe
from app.server.rate import Rate

log = logging.getLogger(__name__)

MESSAGE_LIMIT = 64 * 1024
"""Bytes of one message from a browser; the page's own stay below 3 kB, and 20 kB with the gestures it has kept."""

AGAINST_THE_RULES = 1008
"""The code with which a websocket is closed then"""

NO_SESSION = "There is no such session; the page opens another."

CHANGES = 60, 90
GESTURES = 150, 600
"""How often a connection may send them: a second in the long run, and at once. A page sends at most 60 messages a
second, and the next request after the answer to the last; gestures may have gathered on a bad line."""


class Door(WSHandler):
    """One connection of one page to its session, which was made by `/open` and ends with it.

    A message is three texts: header, metadata and content. Bokeh gets what `admitted` has put together from them.
    """

    max_message_size = MESSAGE_LIMIT

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._parts: list[str] = []
        self._changes, self._gestures = Rate(*CHANGES), Rate(*GESTURES)
        self._refused = False

    def set_default_headers(self) -> None:
        safe(self)

    def check_origin(self, origin: str) -> bool:
        """Whether a page from `origin` may come in: those of `SKIP_ORIGINS` (hosts, by comma), or else our own."""
        allowed = [each.strip() for each in os.environ.get("SKIP_ORIGINS", "").split(",") if each.strip()]
        if allowed:
            return origin.partition("//")[2] in allowed
        return WebSocketHandler.check_origin(self, origin)

    def open(self, *args: Any, **more: Any) -> None:
        """Let in whoever has the token of a session that is there and has no page; no other token is even decoded."""
        if self._awaited():
            super().open(*args, **more)
        else:
            self._refuse(NO_SESSION)

    async def _async_open(self, token: str) -> None:
        """Join the session, if it is still there: Bokeh would make another."""
        if self._awaited():
            await super()._async_open(token)
        else:
            self._refuse(NO_SESSION)

    def _awaited(self) -> bool:
        try:
            session = self.application_context._sessions.get(get_session_id(self._token))
        except (ValueError, TypeError, AttributeError, RuntimeError):
            return False
        return session is not None and not (
            session.expiration_requested or session.connection_count or session.token != self._token
        )

    async def on_message(self, fragment: str | bytes) -> None:
        if self._refused:
            return
        try:
            message = self._whole(fragment)
        except Refused as refused:
            self._refuse(str(refused))
            return
        if message:
            await self._answer(*message)

    def on_ping(self, _data: bytes) -> None:
        """An answer to each is written, whether it is read or not."""
        if not self._changes.allows():
            self._refuse("There are too many pings.")

    def on_close(self) -> None:
        """The page has left; none comes back to this session."""
        session = self.connection and self.connection.session
        super().on_close()
        if session is not None:
            session.request_expiration()
            IOLoop.current().add_callback(self._end, session)

    def _whole(self, fragment: str | bytes) -> tuple[str, Heard] | None:
        """A message by its identifier, when its last part has come. Raises Refused."""
        if not isinstance(fragment, str):
            raise Refused("A message is text.")
        if self.connection is None:
            raise Refused("The server speaks first.")
        self._parts.append(fragment)
        if len(self._parts) == 1:
            identifier(fragment)
        elif len(self._parts) == 2 and fragment != "{}":
            raise Refused("A message has no metadata.")
        elif len(self._parts) == 3:
            name = identifier(self._parts[0])
            self._parts = []
            found = heard(fragment, self.connection.session.document)
            if not (self._changes.allows(found.changes) and self._gestures.allows(found.gestures)):
                raise Refused("There are too many messages at once.")
            return name, found
        return None

    async def _answer(self, name: str, found: Heard) -> None:
        """Let Bokeh apply it. What goes wrong meanwhile is ours to know, so it is in the log only."""
        header = json.dumps({"msgid": name, "msgtype": "PATCH-DOC"})
        message = self.connection.protocol.assemble(header, "{}", json.dumps({"events": found.events}))
        try:
            patched: Any = ServerSession.patch(message, self.connection)
            reply = await patched
        except Exception:
            log.exception("A message of a page could not be applied")
            reply = None
        await self.send_message(reply or self.connection.error(message, "This could not be done."))

    def _refuse(self, reason: str) -> None:
        log.info("A websocket is closed: %s", reason)
        self._refused = True
        self._parts = []
        self.close(AGAINST_THE_RULES, reason)

    async def _end(self, session: ServerSession) -> None:
        if not (session.destroyed or session.expiration_blocked or session.connection_count):
            await self.application_context._discard_session(session, lambda each: each.connection_count == 0)
