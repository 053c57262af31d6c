"""When all places are taken: whoever has most gives one up, and pages and pictures are for everybody."""

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import pytest

from app.server.sessions.session_endpoint import SECONDS_AT_ONCE
from tests.browser.raw_client import RawClient
from tools.local_server import PATIENCE, Server, serving

pytestmark = pytest.mark.exhaustive

AT_ONCE = 2
"""Sessions that one address may open before the next has to wait for half a minute"""

PLACES = 4
"""What `own_server` has"""


def opened(server: Server, address: str, reader: str) -> Any:
    query = urllib.parse.urlencode({"simulation": "published", "place": "raw", "reader": reader})
    request = urllib.request.Request(f"{server.url}/open?{query}", headers={"X-Forwarded-For": f"6.6.6.6, {address}"})
    with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
        return json.load(answer)


def test_bare_requests_of_one_client_keep_nobody_out(own_server: Server) -> None:
    for number in range(2 * PLACES):
        opened(own_server, "203.0.113.1", f"invented {number}")
    others = [opened(own_server, f"198.51.100.{number}", "one") for number in range(PLACES - 1)]
    assert all(other["token"] for other in others)
    # Now everybody has one.
    assert "Reading works" in opened(own_server, "192.0.2.1", "one")["refused"]


def test_one_client_cannot_open_sessions_in_a_loop() -> None:
    with serving(SKIP_OPENINGS=str(AT_ONCE / SECONDS_AT_ONCE), SKIP_PROXIES="127.0.0.1") as server:
        for number in range(AT_ONCE):
            assert opened(server, "203.0.113.1", f"invented {number}")["token"]
        with pytest.raises(urllib.error.HTTPError, match="429") as answered:
            opened(server, "203.0.113.1", "another")
        answered.value.close()
        assert opened(server, "198.51.100.1", "another")["token"]


def test_a_page_that_loses_its_session_says_so_and_keeps_its_picture(own_server: Server) -> None:
    async def crowded() -> tuple[int, str]:
        async with RawClient(own_server.url, "published") as client:
            for number in range(PLACES - 1):
                opened(own_server, "127.0.0.1", str(number))
            await client.ask("unseen")
            await client.ask("set", values={"folklore": True}, n=1)
            await client.live(asked=1)
            assert opened(own_server, "127.0.0.1", "newcomer")["token"]
            with pytest.raises(ConnectionError, match="another reader"):
                await client.live(asked=2)
            return client.socket.close_code

    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE / 1000):
            return await crowded()

    assert asyncio.run(limited()) == 1013
    for path in ("/", "/degradation", "/health"):
        with urllib.request.urlopen(own_server.url + path, timeout=PATIENCE / 1000) as answer:
            assert answer.status == 200
