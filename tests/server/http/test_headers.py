"""Every route that is left has the headers of safety, and errors are words."""

import asyncio
from collections.abc import Callable

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from app.server.handlers import ROUTES
from app.server.http.headers import HEADERS, SecureHandler, framed_by, only_safe

Fetch = Callable[[str], HTTPResponse]


class Foreign(RequestHandler):
    """A handler that comes with a library."""

    def get(self) -> None:
        self.finish("anything")


class Failing(SecureHandler):
    """A handler of ours with a mistake."""

    def get(self) -> None:
        raise ValueError("a secret of the server")


@pytest.fixture
def fetch() -> Fetch:
    """The answer to one request at a server with these handlers."""

    def ask(path: str) -> HTTPResponse:
        async def answer() -> HTTPResponse:
            application = Application([("/foreign", Foreign), ("/failing", Failing)], log_function=lambda handler: None)
            application.prefix = "/a/b"
            only_safe(application)
            server = HTTPServer(application)
            socket, port = bind_unused_port()
            server.add_socket(socket)
            client = AsyncHTTPClient(force_instance=True)
            response = await client.fetch(f"http://127.0.0.1:{port}{path}", raise_error=False, follow_redirects=False)
            client.close()
            server.stop()
            await server.close_all_connections()
            return response

        return asyncio.run(answer())

    return ask


def test_every_route_of_ours_is_safe() -> None:
    assert all(issubclass(handler, SecureHandler) for _pattern, handler in ROUTES)


@pytest.mark.parametrize("path", ["/foreign", "/nothing"])
def test_what_is_not_ours_is_not_there(path: str, fetch: Fetch) -> None:
    answer = fetch(path)
    assert (answer.code, answer.body) == (404, b"404 Not Found\n")
    assert HEADERS.items() <= dict(answer.headers).items()


def test_the_prefix_without_its_slash_leads_to_the_home_page(fetch: Fetch) -> None:
    answer = fetch("/a/b?v=2")
    assert (answer.code, answer.headers["Location"]) == (301, "b/?v=2")
    assert fetch("/a").code == 404


def test_a_mistake_is_said_in_words_that_give_nothing_away(fetch: Fetch, caplog: pytest.LogCaptureFixture) -> None:
    answer = fetch("/failing")
    assert (answer.code, answer.body) == (500, b"500 Internal Server Error\n")
    assert HEADERS.items() <= dict(answer.headers).items()
    assert "a secret of the server" in caplog.text


@pytest.mark.parametrize("value", ["", "any", "none", "https://lms.example.org", "*.example.org, http://x:8080 y:*"])
def test_sites_that_may_frame_are_taken(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_FRAMED_BY", value)
    assert framed_by() == " ".join(value.replace(",", " ").split() or ["any"])


@pytest.mark.parametrize("value", ["'none'", "https://a; script-src *", "any none!", "data:", "https://a/b"])
def test_what_names_no_site_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_FRAMED_BY", value)
    with pytest.raises(ValueError, match="SKIP_FRAMED_BY"):
        framed_by()
