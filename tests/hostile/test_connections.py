"""What a hostile client does with HTTP: too much, too slowly, or at an address that is not for it."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from app.server.http.listening import LIMITS, WAITING
from tests.hostile.memory import Memory
from tools.local_server import PATIENCE, Server

MANY = 500
GROWTH = 5.0
"""MB that an attack may cost, at most"""


@contextmanager
def sockets(server: Server, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections that have sent this and then nothing more."""
    opened: list[socket.socket] = []
    try:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE / 1000)
            opened.append(connection)
            with suppress(OSError):
                connection.sendall(sent)
        yield opened
    finally:
        for connection in opened:
            connection.close()


def answer(server: Server, path: str, method: str = "GET") -> tuple[int, bytes, dict[str, str]]:
    request = urllib.request.Request(server.url + path, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as response:
            return response.status, response.read(), dict(response.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read(), dict(error.headers)


def hung_up(connection: socket.socket) -> bool:
    """Whether the server has ended a connection; waits until it says anything."""
    with suppress(ConnectionError):
        return connection.recv(1) == b""
    return True


def test_half_sent_requests_keep_nobody_out(server: Server) -> None:
    assert server.process
    answer(server, "/degradation")
    memory = Memory(server.process.pid)
    with sockets(server, MANY, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ") as slow:
        for _ in range(10):
            assert answer(server, "/health")[0] == 200
        assert answer(server, "/degradation")[0] == 200
        # The oldest had to go; each of them is told so before this returns.
        assert all(hung_up(connection) for connection in slow[: MANY - WAITING])
    assert memory.most < GROWTH


@pytest.mark.parametrize("path", ["/health", "/", "/open", "/app/ws"])
def test_a_body_is_refused_before_it_is_read(server: Server, path: str) -> None:
    assert server.process
    memory = Memory(server.process.pid)
    request = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 99000000\r\n\r\n".encode()
    with sockets(server, 10, request + bytes(100_000)) as heavy:
        for connection in heavy:
            received = b""
            with suppress(ConnectionError):
                while part := connection.recv(4096):
                    received += part
            assert received.startswith(b"HTTP/1.1 400") or not received
    assert memory.most < GROWTH


def test_headers_without_end_are_refused(server: Server) -> None:
    with sockets(server, 1, b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * int(LIMITS["max_header_size"]))) as heavy:
        assert hung_up(heavy[0])


@pytest.mark.parametrize("path", ["/app", "/app/"])
def test_the_application_itself_opens_nothing(server: Server, path: str) -> None:
    before = json.loads(answer(server, "/health")[1])["sessions"]
    status, body, headers = answer(server, path)
    assert status == 200
    assert headers["Content-Type"].startswith("application/json")
    assert json.loads(body)["refused"]
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
        assert name in headers
    assert json.loads(answer(server, "/health")[1])["sessions"] <= before


@pytest.mark.parametrize(
    "path", ["/app/autoload.js?bokeh-autoload-element=1", "/app/metadata", "/static/js/x", "/a/b/"]
)
def test_there_is_nothing_else(server: Server, path: str) -> None:
    status, body, headers = answer(server, path)
    assert (status, b"No such page" in body) == (404, True)
    assert "X-Content-Type-Options" in headers


@pytest.mark.parametrize(
    "query", ["bokeh-session-id=mine", "bokeh-token=eyJ9", "simulation=published&bokeh-session-id=x"]
)
def test_a_client_does_not_name_its_session(server: Server, query: str) -> None:
    status, body, _headers = answer(server, f"/open?{query}")
    assert (status, json.loads(body)["token"]) == (200, "")


def test_an_answer_names_no_file_of_the_server(server: Server) -> None:
    for path in ("/open?simulation=published&place=%00", "/open", "/app/ws", "/calculate?page=x", "/shelf/x", "/%ff"):
        body = answer(server, path)[1]
        assert b"Traceback" not in body
        assert b".py" not in body
