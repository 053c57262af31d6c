"""Sessions of Bokeh's server: where they are kept, their connections, and who may join one by a websocket."""

from typing import Any

from bokeh.server.session import ServerSession
from bokeh.util.token import get_session_id
from panel.io.server import WSHandler


def application_context(tornado_app: Any, path: str) -> Any:
    """The context of the application at `path`, which holds its sessions. Raises KeyError if there is none."""
    return tornado_app._applications[path]


def close_connections(session: ServerSession, code: int, reason: str) -> None:
    """Close the websockets of a session, with a code of RFC 6455 and a reason."""
    for connection in list(session._subscribed_connections):
        connection._socket.close(code, reason)


class SessionJoiningHandler(WSHandler):
    """Panel's websocket handler, except that a page joins a session only if `joins` says so at that moment.

    Bokeh would create a session that no longer exists.
    """

    connection: Any

    def joins(self) -> bool:
        """Whether the page joins the session that it requests."""
        raise NotImplementedError

    def requested_session(self) -> ServerSession | None:
        """The session whose token the page has sent, if there is one with exactly this token."""
        try:
            session: ServerSession | None = self.application_context._sessions.get(get_session_id(self._token))
        except (LookupError, ValueError, TypeError, AttributeError, RuntimeError):
            return None
        return session if session and session.token == self._token else None

    async def _async_open(self, token: str) -> None:
        if self.joins():
            await super()._async_open(token)

    def forget_detached_connection(self) -> None:
        """Forget the connection if a ping has found it dead: Bokeh has then detached it already."""
        if self.connection is not None and self.connection._session is None:
            self.connection = None

    async def discard(self, session: ServerSession) -> None:
        """Destroy a session, unless it has a connection by then."""
        await self.application_context._discard_session(session, lambda candidate: candidate.connection_count == 0)
