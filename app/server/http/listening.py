"""The HTTP server with limits: the size of a request, how long it may take, and how many connections may idle."""

import resource
import sys
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
"""Bytes and seconds. Only requests to rooms have a body; the timeout for idle connections also applies to headers."""

WAITING = 256
"""Most connections that may be waiting for a request, or for the rest of its headers, at the same time"""


class LimitedHTTPServer(HTTPServer):
    """A server with these limits. If too many connections wait, it closes the one that has waited longest.

    So a client that sends its request at once is served, however many slow ones there are.
    """

    def initialize(self, request_callback: Any, **options: Any) -> None:  # type: ignore[override]
        """Initialize the server as Tornado does, with our limits."""
        self._waiting: dict[Any, None] = {}
        super().initialize(request_callback, **{**options, **LIMITS})

    def start(self, num_processes: int | None = 1, *more: Any, **options: Any) -> None:
        """Start as Tornado does, in this process only: others would know none of its sessions, rooms and runs."""
        if num_processes != 1:
            sys.exit("--num-procs must be 1: sessions live in one process. How to carry more: docs/operations.md")
        super().start(num_processes, *more, **options)

    def start_request(self, server_conn: Any, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        """Called by Tornado when a connection begins to wait for its next request."""
        self._waiting[server_conn] = None
        if len(self._waiting) > WAITING:
            longest = next(iter(self._waiting))
            del self._waiting[longest]
            longest.stream.close()
        return RequestWatcher(super().start_request(server_conn, request_conn), lambda: self._came(server_conn))

    def on_close(self, server_conn: object) -> None:
        """Called by Tornado when a connection is closed."""
        self._came(server_conn)
        super().on_close(server_conn)

    def _came(self, server_conn: object) -> None:
        self._waiting.pop(server_conn, None)


class RequestWatcher(HTTPMessageDelegate):
    """Wraps a request, and calls `came` when its headers have arrived."""

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
    """Raise the limit of open files, and so of connections, to the system's hard limit."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
