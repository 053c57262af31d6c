"""How the server listens: what a request may send, how long it may take, and how many may keep it waiting."""

import resource
from collections.abc import Callable
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPMessageDelegate, RequestStartLine, ResponseStartLine

LIMITS = {
    "max_body_size": 4 * 1024,
    "max_buffer_size": 1024 * 1024,
    "max_header_size": 64 * 1024,
    "idle_connection_timeout": 30.0,
    "body_timeout": 10.0,
}
"""Bytes and seconds. No request of a page has a body; the time-out for idle connections also holds for headers."""

WAITING = 256
"""Connections that may wait for a request, or for the rest of its headers, at the same time"""


class LimitedHTTPServer(HTTPServer):
    """A server with these limits. Of too many connections that wait, the one that has waited longest is closed: who
    sends a request at once is served, however many dawdle.
    """

    def initialize(self, request_callback: Any, **options: Any) -> None:  # type: ignore[override]
        """As Tornado has it."""
        self._waiting: dict[Any, None] = {}
        super().initialize(request_callback, **{**options, **LIMITS})

    def start_request(self, server_conn: Any, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        """A connection begins to wait for its next request."""
        self._waiting[server_conn] = None
        if len(self._waiting) > WAITING:
            longest = next(iter(self._waiting))
            del self._waiting[longest]
            longest.stream.close()
        return RequestWatcher(super().start_request(server_conn, request_conn), lambda: self._came(server_conn))

    def on_close(self, server_conn: object) -> None:
        """A connection is gone."""
        self._came(server_conn)
        super().on_close(server_conn)

    def _came(self, server_conn: object) -> None:
        self._waiting.pop(server_conn, None)


class RequestWatcher(HTTPMessageDelegate):
    """A request that says when its headers are there."""

    def __init__(self, request: HTTPMessageDelegate, came: Callable[[], None]) -> None:
        self._request, self._came = request, came

    def headers_received(self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders) -> Any:
        self._came()
        return self._request.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Any:
        return self._request.data_received(chunk)

    def finish(self) -> None:
        self._request.finish()

    def on_connection_close(self) -> None:
        self._request.on_connection_close()


def allow_many_files() -> None:
    """Let this process have as many connections open as the system lets it."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
