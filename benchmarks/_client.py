"""What a page asks of its server, spoken without a browser and with little work, so that many fit on one machine."""

import asyncio
import gzip
import json
import re
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from itertools import count
from posixpath import dirname, normpath
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClientConnection, websocket_connect

FIGURE = re.compile(
    r'<figure class="simulation([^"]*)" id="([^"]+)" data-simulation="([^"]+)" data-initial="([^"]*)" '
    r'data-picture="([^"]+)"'
)
FILES = re.compile(r'<(?:link|script)[^>]* (?:href|src)="([^"]+\.(?:js|css|woff2|svg)(?:\?[^"]*)?)"')
IMPORTS = re.compile(r"(?:from|import|import\(|URL\() ?'(\.[\w./-]+\.js)'")
PATIENCE = 60.0
"""Seconds for a websocket"""


class Refused(Exception):
    """The server has no place for a session; the text is what the page says."""


@dataclass(frozen=True)
class Answer:
    """An answer, and the seconds until it was there, its connection included."""

    status: int
    body: bytes
    seconds: float

    def text(self) -> str:
        """The body, unpacked."""
        return (gzip.decompress(self.body) if self.body[:2] == b"\x1f\x8b" else self.body).decode()


@dataclass(frozen=True)
class Figure:
    """A simulation on a page."""

    place: str
    simulation: str
    initial: Mapping[str, str]
    folder: str
    training: bool


async def fetch(url: str, *paths: str) -> list[Answer]:
    """The answers to requests, one after the other over one connection. Raises OSError where there are none."""
    host = urlsplit(url).netloc
    name, _, port = host.partition(":")
    answers = []
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection(name, int(port))
    try:
        for path in paths:
            writer.write(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"\r\nContent-Length: (\d+)", head, re.IGNORECASE)
            body = await reader.readexactly(int(length[1])) if length else b""
            answers.append(Answer(int(head.split(" ", 2)[1]), body, time.perf_counter() - began))
            began = time.perf_counter()
    except asyncio.IncompleteReadError as error:
        raise ConnectionError("the server has hung up") from error
    finally:
        writer.close()
    return answers


async def files(url: str, html: str) -> list[str]:
    """What a browser fetches with a page, once: what the page names, and the modules that scripts import."""
    addresses = dict.fromkeys(unescape(address) for address in FILES.findall(html))
    ahead = [address for address in addresses if address.endswith(".js")]
    while ahead:
        script = ahead.pop()
        [answer] = await fetch(url, script)
        modules = [normpath(f"{dirname(script)}/{name}") for name in IMPORTS.findall(answer.text())]
        ahead += [module for module in modules if module not in addresses]
        addresses |= dict.fromkeys(modules)
    return list(addresses)


def figures(html: str) -> Iterator[Figure]:
    """The simulations of a page, from its first to its last."""
    for kind, place, simulation, initial, folder in FIGURE.findall(html):
        yield Figure(place, simulation, json.loads(unescape(initial) or "{}"), folder, "training" in kind)


class Live:
    """A session of the server for a picture, as a page has it."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket
        self._numbers, self.asked = count(1), 0

    async def ask(self, action: str, **more: object) -> int:
        """A request; the number that its answer has."""
        self.asked += 1
        text = json.dumps({"n": self.asked, "do": action, **more})
        event = {"kind": "MessageSent", "msg_type": "request", "msg_data": text}
        header = {"msgid": str(next(self._numbers)), "msgtype": "PATCH-DOC"}
        for part in (header, {}, {"events": [event]}):
            await self._socket.write_message(json.dumps(part))
        return self.asked

    async def told(self) -> dict[str, Any]:
        """What the server tells next of the picture; values that are mappings stay as Bokeh writes them.

        Raises ConnectionError where it has hung up.
        """
        while True:
            header, _metadata, content = [await self._part() for _ in range(3)]
            for _ in range(2 * json.loads(header).get("num_buffers", 0)):
                await self._part()
            if '"asked"' not in content:
                continue
            for event in json.loads(content).get("events", ()):
                if event.get("msg_type") == "live":
                    return dict(event["msg_data"]["entries"])

    async def answered(self, number: int) -> dict[str, Any]:
        """What the server tells when it has answered a request."""
        while True:
            message = await self.told()
            if message["asked"] >= number:
                return message

    async def _part(self) -> str:
        part = await self._socket.read_message()
        if part is None:
            raise ConnectionError("the server has closed the connection")
        return part if isinstance(part, str) else ""


@asynccontextmanager
async def session(url: str, figure: Figure, **settings: str) -> AsyncIterator[Live]:
    """A session of a reader of its own for a figure. Raises Refused, or OSError where the server cannot be reached."""
    query = {"simulation": figure.simulation, "place": figure.place, "reader": uuid4().hex}
    query |= {f"p.{name}": value for name, value in {**figure.initial, **settings}.items()}
    [opened] = await fetch(url, f"open?{urlencode(query)}")
    manifest = json.loads(opened.text())
    if manifest["refused"]:
        raise Refused(manifest["refused"])
    address = f"{url.replace('http', 'ws', 1)}/app/ws"
    try:
        socket = await websocket_connect(address, subprotocols=["bokeh", manifest["token"]], connect_timeout=PATIENCE)
    except HTTPClientError as error:
        raise ConnectionError(str(error)) from error
    assert socket.protocol
    socket.protocol.set_nodelay(True)  # as browsers have it
    live = Live(socket)
    try:
        for _ in range(3):
            await live._part()
        yield live
    finally:
        socket.close()
