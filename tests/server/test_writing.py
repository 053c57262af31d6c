"""An author's page is told when it has been made anew, and how many of its numbers are still missing."""

import asyncio
import json

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application

from app.pages.output.cached_page import CachedPage
from app.server import writing
from app.server.builders.site import SITE
from app.server.writing import WriteModeHandler, script

PAGES = [
    CachedPage("arena", "<p>One</p>", numbers={"a.b()": None, "a.c()": 1.0}),
    CachedPage("arena", "<p>One</p>", numbers={"a.b()": None, "a.c()": 1.0}),
    CachedPage("arena", "<p>Two</p>"),
    CachedPage("arena", error="arena.md:3: wrong"),
]


def test_the_mark_changes_with_the_page_and_missing_numbers_are_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead, computations = list(PAGES), []

    async def page(slug: str) -> CachedPage:
        if slug != "arena":
            raise KeyError(slug)
        return ahead.pop(0)

    monkeypatch.setattr(SITE, "page", page)

    async def story() -> list[HTTPResponse]:
        server = HTTPServer(Application([(r"/writing", WriteModeHandler, {"compute": lambda: computations.append(1)})]))
        socket, port = bind_unused_port()
        server.add_socket(socket)
        slugs = ["arena"] * len(PAGES) + ["nowhere"]
        urls = [f"http://127.0.0.1:{port}/writing?page={slug}" for slug in slugs]
        answers = [await AsyncHTTPClient().fetch(url, raise_error=False) for url in urls]
        server.stop()
        await server.close_all_connections()
        AsyncHTTPClient().close()
        return answers

    *answers, missing = asyncio.run(story())
    payloads = [json.loads(answer.body) for answer in answers]
    assert payloads[0] == payloads[1]
    assert len({payload["mark"] for payload in payloads}) == 3
    assert [(payload["missing"], payload["numbers"]) for payload in payloads] == [(1, 2), (1, 2), (0, 0), (0, 0)]
    assert missing.code == 404
    assert len(computations) == len(PAGES)


def test_only_an_authors_page_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert script() == b""
    monkeypatch.setattr(writing, "WRITING", True)
    assert b"write.js" in script()
