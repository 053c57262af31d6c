"""Two servers behind the proxy of `deploy/internet/`: each reader stays on one, and one that dies is not missed."""

import asyncio
import json
import ssl
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.raw_client import RawClient
from tests.deploy.proxy import needs_nginx, proxied
from tools.local_server import PATIENCE, Server, serving

pytestmark = needs_nginx

MOST = 64
"""Readers of whom all are sent to one of two servers only by a miracle"""

Site = tuple[str, ssl.SSLContext, list[Server]]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """The address, what takes its certificate, and both servers."""
    settings = {"SKIP_PROXIES": "127.0.0.1", "SKIP_OPENINGS": "1000"}
    with serving(**settings) as one, serving(**settings) as other:
        changes = {
            "10.89.6.11:5006": f"127.0.0.1:{one.port}",
            "10.89.6.12:5006": f"127.0.0.1:{other.port}",
            "/var/cache/nginx/skip-connections": str(tmp_path / "cache"),
        }
        with proxied("internet/nginx.conf", tmp_path, changes) as address:
            host, port = urlsplit(address).netloc.split(":")
            trusted = ssl.create_default_context(cadata=ssl.get_server_certificate((host, int(port))))
            yield address, trusted, [one, other]


def sessions(server: Server) -> int:
    with urllib.request.urlopen(f"{server.url}/health", timeout=PATIENCE / 1000) as answer:
        return int(json.load(answer)["sessions"])


async def moved(client: RawClient, number: int) -> None:
    """See that its session answers."""
    await client.ask("set", values={"folklore": bool(number % 2)}, n=number)
    await client.live(asked=number)


def test_readers_stay_on_their_server_and_go_on_when_it_dies(site: Site) -> None:
    address, trusted, servers = site

    async def story() -> None:
        clients: list[RawClient] = []
        while not all(map(sessions, servers)) and len(clients) < MOST:
            # Where a reader's websocket reached the other server, there would be no such session.
            clients.append(await RawClient(address, "published", trusted).__aenter__())
        for client in clients:
            await moved(client, 1)
        assert sum(map(sessions, servers)) == len(clients)
        assert servers[0].process
        servers[0].process.kill()
        servers[0].process.wait()
        stayed = 0
        for client in clients:
            try:
                await moved(client, 2)
                stayed += 1
            except ConnectionError:
                async with RawClient(address, "published", trusted, client.reader) as again:
                    await moved(again, 1)
        assert stayed == sessions(servers[1])
        assert 0 < stayed < len(clients)
        for client in clients:
            client.socket.close()

    asyncio.run(asyncio.wait_for(story(), PATIENCE / 1000))
    for path in ("/", "/degradation", "/shortcut"):
        with urllib.request.urlopen(address + path, timeout=PATIENCE / 1000, context=trusted) as answer:
            assert answer.status == 200


def test_all_of_a_room_happens_on_one_server(site: Site) -> None:
    address, trusted, _servers = site

    def post(path: str, token: str = "anybody", **content: object) -> dict[str, str]:
        request = urllib.request.Request(
            address + path, json.dumps(content).encode(), {"X-Room": token, "Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000, context=trusted) as answer:
            return dict(json.load(answer))

    for _ in range(8):  # codes that all belong to one of two servers would be a small miracle
        room = f"/room/{post('/rooms')['code']}"
        teacher = post(room, do="open")["token"]
        student = post(room, do="join")["token"]
        post(room, student, do="answer", page="degradation", exercise="p-insert", answer=1)
        request = urllib.request.Request(f"{address}{room}/news?page=degradation", headers={"X-Room": teacher})
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000, context=trusted) as answer:
            assert json.load(answer)["questions"]["p-insert"]["count"] == 1
