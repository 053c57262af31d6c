"""One server behind the proxy of `deploy/nginx.conf`: a path of its own, TLS, a port of its own, limits by reader."""

import asyncio
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from tornado.httpclient import HTTPClientError

from tests.browser.raw_client import RawClient
from tests.deploy.proxy import needs_nginx, proxied
from tools.local_server import PATIENCE, serving

pytestmark = needs_nginx

PREFIX = "/skip-connections"
MANY = 40
"""Requests at the same moment, more than a reader may make"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, with its prefix and no slash."""
    folder = tmp_path_factory.mktemp("nginx")
    with (
        serving(SKIP_PROXIES="127.0.0.1", SKIP_OPENINGS="1000") as server,
        proxied("nginx.conf", folder, {"127.0.0.1:5006": f"127.0.0.1:{server.port}"}) as address,
    ):
        yield address + PREFIX


@pytest.fixture(scope="module")
def trusted(site: str) -> ssl.SSLContext:
    """What takes the site's certificate, and no other."""
    host, port = urlsplit(site).netloc.split(":")
    return ssl.create_default_context(cadata=ssl.get_server_certificate((host, int(port))))


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect as it came."""

    def redirect_request(self, *_request: Any) -> None:
        """None: it is the answer."""


def get(address: str, trusted: ssl.SSLContext, **more: Any) -> Any:
    return urllib.request.urlopen(urllib.request.Request(address, **more), timeout=PATIENCE / 1000, context=trusted)


def test_pages_and_their_files_are_there_with_a_slash(site: str, trusted: ssl.SSLContext) -> None:
    with get(f"{site}/degradation", trusted) as answer:
        html = answer.read().decode()
    files = re.findall(r'(?:src|href)="([^":?]+\.(?:js|css)(?:\?[^"]*)?)"', html)
    assert files
    for path in {*files[:5], "health"}:
        with get(urljoin(f"{site}/degradation", path), trusted) as answer:
            assert urlsplit(answer.url).path.startswith(PREFIX)
            assert answer.status == 200


def test_without_a_slash_the_reader_is_sent_there_and_keeps_the_port(site: str, trusted: ssl.SSLContext) -> None:
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=trusted), Unfollowed)
    with pytest.raises(urllib.error.HTTPError, match="301") as answered:
        opener.open(site, timeout=PATIENCE / 1000)
    answered.value.close()
    assert urljoin(site, answered.value.headers["Location"]) == f"{site}/"
    with get(site, trusted) as answer:
        assert answer.url == f"{site}/"
        assert answer.status == 200


def test_a_simulation_runs_over_its_websocket_at_an_address_with_a_port(site: str, trusted: ssl.SSLContext) -> None:
    async def live() -> None:
        async with RawClient(site, "published", trusted) as client:
            assert client.origin == site.removesuffix(PREFIX)
            await client.ask("set", values={"folklore": True}, n=1)
            await client.live(asked=1)

    asyncio.run(asyncio.wait_for(live(), PATIENCE / 1000))


def test_a_page_from_elsewhere_may_open_none(site: str, trusted: ssl.SSLContext) -> None:
    async def live() -> None:
        client = RawClient(site, "published", trusted)
        client.origin = "https://elsewhere.example"
        async with client:
            pass

    with pytest.raises(HTTPClientError, match="403"):
        asyncio.run(asyncio.wait_for(live(), PATIENCE / 1000))


def test_one_reader_is_limited_and_another_behind_the_same_address_is_not(site: str, trusted: ssl.SSLContext) -> None:
    def opened(_number: int) -> int:
        try:
            with get(f"{site}/open?simulation=published&place=raw&reader=greedy", trusted) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    with ThreadPoolExecutor(MANY) as pool:
        statuses = list(pool.map(opened, range(MANY)))
    assert set(statuses) == {200, 429}
    assert RawClient(site, "published", trusted).manifest["token"]


def test_a_large_request_is_refused(site: str, trusted: ssl.SSLContext) -> None:
    with pytest.raises(urllib.error.HTTPError, match="413") as answered:
        get(f"{site}/", trusted, data=b"x" * 5_000)
    answered.value.close()
