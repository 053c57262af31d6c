"""What a page without an origin may do: have the sessions of figures for frames, and nothing that others may not."""

import asyncio
import json
import urllib.error
import urllib.request
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from app.server.sessions.session_websocket import AGAINST_THE_RULES
from tests.hostile.test_connections import answer
from tools.local_server import PATIENCE, Server, serving

EVIL, NO_ORIGIN = "https://evil.example", "null"
OPEN = "/open?simulation=published&place=raw&reader="


def opened(server: Server, reader: str, origin: str, more: str) -> tuple[str, str | None]:
    """The token of a session, and who may read it."""
    request = urllib.request.Request(f"{server.url}{OPEN}{reader}{more}", headers={"Origin": origin})
    with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as response:
        return json.load(response)["token"], response.headers["Access-Control-Allow-Origin"]


def greeted(server: Server, token: str, origin: str) -> int | str:
    """What a websocket is told first, or the code with which it is turned away."""
    if origin != NO_ORIGIN:
        return turned_away(server, token, origin)

    async def ask() -> Any:
        address = f"{server.url.replace('http', 'ws', 1)}/app/ws"
        async with asyncio.timeout(PATIENCE / 1000):
            request = HTTPRequest(address, headers={"Origin": origin})
            socket = await websocket_connect(request, subprotocols=["bokeh", token])
            first = await socket.read_message()
            code = socket.close_code
            socket.close()
            if first is None:
                return code
            while await socket.read_message() is not None:
                pass
            return json.loads(first)["msgtype"]

    first: int | str = asyncio.run(ask())
    return first


def turned_away(server: Server, token: str, origin: str) -> int:
    """The answer to a websocket that does not come about."""
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": "bm90aGluZyB0byBzZWUgaGU=", "Sec-WebSocket-Protocol": f"bokeh, {token}"}
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE / 1000)) as connection:
        connection.request("GET", "/app/ws", headers={**headers, "Origin": origin})
        with connection.getresponse() as response:
            return response.status


@pytest.mark.parametrize(
    ("more", "origin", "readable", "outcome"),
    [
        ("&embed=yes", NO_ORIGIN, NO_ORIGIN, "ACK"),
        ("", NO_ORIGIN, None, AGAINST_THE_RULES),
        ("&embed=yes", EVIL, None, 403),
        ("", EVIL, None, 403),
        ("&embed=yes", "null.example", None, 403),
    ],
)
def test_a_page_without_an_origin_has_the_figures_for_frames(
    server: Server, more: str, origin: str, readable: str | None, outcome: object
) -> None:
    token, allowed = opened(server, f"frames{more}{origin}".replace("&", "-").replace(":", "-"), origin, more)
    assert allowed == readable
    assert greeted(server, token, origin) == outcome


@pytest.mark.exhaustive
def test_where_nobody_may_frame_a_page_without_an_origin_has_none() -> None:
    with serving(SKIP_FRAMED_BY="none") as server:
        token, allowed = opened(server, "a", NO_ORIGIN, "&embed=yes")
        assert allowed is None
        assert greeted(server, token, NO_ORIGIN) == AGAINST_THE_RULES
        _status, _body, headers = answer(server, "/embed/published")
        policy = headers["Content-Security-Policy"]
        assert policy.endswith("; frame-ancestors 'self'")


@pytest.mark.exhaustive
def test_a_frame_counts_against_the_rate_of_its_address() -> None:
    with serving(SKIP_OPENINGS="0.05") as server:
        opened(server, "a", NO_ORIGIN, "&embed=yes")
        opened(server, "b", NO_ORIGIN, "&embed=yes")
        with pytest.raises(urllib.error.HTTPError) as refused:
            opened(server, "c", NO_ORIGIN, "&embed=yes")
        with refused.value as answered:
            assert answered.code == 429
            assert answered.headers["Access-Control-Allow-Origin"] == NO_ORIGIN


def test_a_setting_that_names_no_site_stops_the_server() -> None:
    with pytest.raises(RuntimeError, match="SKIP_FRAMED_BY is"), serving(SKIP_FRAMED_BY="'none'; script-src *"):
        pass
