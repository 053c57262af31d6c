"""A real server without a browser, which hostile clients attack while others read on."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import ROOT, Server, free_port


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    (ROOT / ".cache").mkdir(exist_ok=True)
    running = Server(free_port(), {"SKIP_AHEAD": "no"})
    running.start()
    yield running
    running.stop()


@pytest.fixture
def own_server() -> Iterator[Server]:
    """A server with four places behind a proxy, which a test may crowd."""
    (ROOT / ".cache").mkdir(exist_ok=True)
    running = Server(free_port(), {"SKIP_AHEAD": "no", "SKIP_SESSIONS": "4", "SKIP_PROXIES": "127.0.0.1"})
    running.start()
    yield running
    running.stop()
