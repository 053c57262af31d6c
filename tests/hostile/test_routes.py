"""Whatever a running server is asked, its answer carries the headers of safety."""

import json

import pytest

from app.server.http.headers import HEADERS
from tests.hostile.test_connections import answer
from tools.local_server import Server

FOUND = [
    "/",
    "/degradation",
    "/robots.txt",
    "/feed.xml",
    "/references.bib",
    "/xray.py",
    "/health",
    "/favicon.ico",
    "/cards/home.png",
    "/assets/style.css",
    "/assets/vendor/bokeh.min.js",
    "/room",
    "/sheet-degradation",
    "/calculate?page=degradation&example=w-default",
    "/open?simulation=no-such",
    "/app",
]
MISSING = [
    "/nowhere",
    "/a/b",
    "/sitemap.xml",
    "/room/CCCCCC/nothing",
    "/stills/none.none.light.webp",
    "/stills/none.none.phone.light.webp",
    "/assets/none.css",
    "/static/js/bokeh.min.js",
    "/static/extensions/panel/none.js",
    "/shelf/0123456789abcdef/picture.json",
    # Of Bokeh and Panel
    "/app/autoload.js",
    "/app/metadata",
    "/app/static/style/type.css",
    "/components/panel.widgets.select/Select/_stylesheets/none.css",
    "/components/antigravity/a/b/c",
    "/static/js/../../server.py",
]


@pytest.mark.parametrize("path", FOUND)
def test_what_is_there_is_guarded(server: Server, path: str) -> None:
    status, body, headers = answer(server, path)
    assert status == 200
    assert body
    assert HEADERS.items() <= headers.items()


@pytest.mark.parametrize("path", MISSING)
def test_what_is_missing_is_guarded_and_said_in_our_words(server: Server, path: str) -> None:
    status, body, headers = answer(server, path)
    assert status == 404
    assert HEADERS.items() <= headers.items()
    assert body == b"404 Not Found\n" or b"No such page" in body


@pytest.mark.parametrize("path", ["/", "/open", "/health", "/assets/style.css"])
def test_what_cannot_be_done_is_guarded(server: Server, path: str) -> None:
    status, body, headers = answer(server, path, method="POST")
    assert status == 405
    assert HEADERS.items() <= headers.items()
    assert b"405 Method Not Allowed" in body
    if path == "/open":
        assert json.loads(body) == {"token": "", "refused": "The server answers 405 Method Not Allowed."}


def test_requests_to_a_room_are_guarded(server: Server) -> None:
    for path, method, status in (("/rooms", "GET", 405), ("/rooms", "POST", 403), ("/room/CCCCCC/news", "GET", 403)):
        actual, body, headers = answer(server, path, method=method)
        assert actual == status
        assert HEADERS.items() <= headers.items()
        assert json.loads(body)["refused"]


def test_a_websocket_that_is_turned_away_is_guarded(server: Server) -> None:
    status, _body, headers = answer(server, "/app/ws")
    assert status == 400
    assert HEADERS.items() <= headers.items()
