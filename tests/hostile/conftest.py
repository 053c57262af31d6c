"""A real server without a browser, which hostile clients attack while others read on."""

from collections.abc import Iterator

import pytest

from tools.local_server import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving() as running:
        running.load()  # as tests say how much memory an attack may cost
        yield running


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server with four places behind a proxy, which a test may crowd."""
    with serving(SKIP_SESSIONS="4", SKIP_PROXIES="127.0.0.1") as running:
        yield running
