"""Whatever a client sends: a clear answer or a clamp that says so, and the other readers notice nothing."""

import asyncio
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tornado.httpclient import HTTPClientError
from tornado.websocket import websocket_connect

from tests.browser.raw_client import RawClient
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import PATIENCE, Server

SMALL = {"depth": "8", "width": "16", "seeds": "1", "training_steps": "200"}


def outcome(work: Coroutine[Any, Any, Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE / 1000):
            return await work

    # The browser's own event loop runs in this thread.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, limited()).result()


def ask(url: str, path: str) -> Any:
    with urllib.request.urlopen(url + path, timeout=PATIENCE / 1000) as answer:
        return answer.status


@pytest.mark.parametrize(
    ("query", "notes", "expected"),
    first(
        1,
        [
            (
                "degradation.depth=9999&degradation.norm=%3Cscript%3Ealert(1)%3C/script%3E&degradation.nothing=1&v=7",
                [
                    "outside 2 to 64",
                    "<script>alert(1)</script>",
                    "no control named “nothing”",
                    "from another version of the site (v=7)",
                ],
                {"depth": "64", "norm": "none"},
            ),
            (
                "degradation.width=NaN&degradation.learning_rate=0.04",
                ["not a possible value", "not one of the stops"],
                {"width": "48", "learning_rate": "0.05"},
            ),
            ("degradation.depth=" + "9" * 20_000, ["20000 characters is too long"], {"depth": "20"}),
        ],
    ),
)
def test_a_hostile_link_is_answered_with_a_note(
    page: Page, query: str, notes: list[str], expected: dict[str, str]
) -> None:
    page.goto("degradation?" + query)
    simulation = OnPage(page, "degradation").ready()
    for note in notes:
        expect(simulation.figure.locator(".notes")).to_contain_text(note)
    assert {name: simulation.setting(name) for name in expected} == expected


def test_a_link_of_ten_megabytes_is_refused_and_the_server_lives(server: Server) -> None:
    with pytest.raises((urllib.error.HTTPError, ConnectionError, urllib.error.URLError)):
        ask(server.url, "/degradation?degradation.depth=" + "9" * 10_000_000)
    assert ask(server.url, "/degradation") == 200


@pytest.mark.parametrize(
    "value",
    first(2, [1e12, float("nan"), -5, 7, float("1e400"), None, "deep", True, [1], {"type": "number", "value": "nan"}]),
)
def test_a_slider_set_past_its_bounds_never_reaches_the_network(server: Server, value: object) -> None:
    async def attack() -> dict[str, Any]:
        async with RawClient(server.url, "degradation", **SMALL) as client:
            await client.ask("set", values={"depth": value})
            await client.ask("set", values={"width": 24})
            while True:
                state = await client.live()
                if state["values"]["width"] == "24":
                    return state

    depth = int(outcome(attack())["values"]["depth"])
    assert 2 <= depth <= 64
    assert depth % 2 == 0


@pytest.mark.parametrize(
    "request_text",
    first(
        2,
        [
            "",
            "no JSON",
            "[]",
            '{"do": 5}',
            '{"do": "set"}',
            '{"do": "set", "values": {"__class__": 1}}',
            '{"do": "set", "values": [1]}',
            "[" * 1_900,
            '{"do": "reset", "initial": {"depth": [1]}}',
            "9" * 60_000,
        ],
    ),
)
def test_a_request_nobody_would_make_is_ignored_or_noted(server: Server, request_text: str) -> None:
    async def attack() -> dict[str, Any]:
        async with RawClient(server.url, "published") as client:
            await client.say(request_text)
            await client.ask("set", values={"folklore": True})
            while True:
                state = await client.live()
                if state["values"]["folklore"] == "yes":
                    return state

    assert outcome(attack())["values"]["table"] == "cifar10"


@pytest.mark.exhaustive
def test_a_huge_message_ends_its_own_connection_only(server: Server, page: Page) -> None:
    page.goto("degradation?degradation.width=16&degradation.seeds=1")
    other = OnPage(page, "degradation").ready()

    async def attack() -> None:
        async with RawClient(server.url, "published") as client:
            await client.say("9" * 5_000_000)
            while True:
                await client.message()

    with pytest.raises(ConnectionError):
        outcome(attack())
    other.button("Step").click()
    other.wait_for_step(1)


def test_a_flood_of_slider_values_does_not_keep_another_reader_waiting(server: Server, page: Page) -> None:
    page.goto("embed/degradation?width=16&seeds=1")
    other = OnPage(page, "degradation").ready()

    async def flood() -> None:
        async with RawClient(server.url, "degradation", **SMALL) as client:
            for number in range(2_000):
                await client.ask("set", values={"depth": 2 + 2 * (number % 30)})

    # Whether so many are too many at once depends on how fast they come; either way they are the client's own trouble.
    with suppress(ConnectionError):
        outcome(flood())
    other.button("Step").click()
    other.wait_for_step(1)


def test_another_site_may_not_open_a_websocket(server: Server) -> None:
    from tornado.httpclient import HTTPRequest

    async def attack() -> None:
        client = RawClient(server.url, "published")
        request = HTTPRequest(
            f"{server.url.replace('http', 'ws', 1)}/app/ws", headers={"Origin": "https://elsewhere.example"}
        )
        await websocket_connect(request, subprotocols=["bokeh", client.manifest["token"]])

    with pytest.raises(HTTPClientError) as refused:
        outcome(attack())
    assert refused.value.code == 403


def test_an_unknown_simulation_is_refused_in_words(server: Server) -> None:
    client = RawClient(server.url, "../../etc/passwd")
    assert "there is no simulation named" in client.manifest["refused"]
