"""What a hostile client sends over its websocket: the server hangs up with a reason, hardly takes memory for it, and
answers everybody else meanwhile.
"""

import asyncio
import gzip
import json
from base64 import b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from tornado.websocket import WebSocketClosedError, websocket_connect

from app.bokeh_internals.messages import LIVE, REQUEST
from tests.browser.raw_client import RawClient
from tests.hostile.memory import Memory
from tests.tiers import first
from tools.local_server import PATIENCE, Server

RULES = 1008
"""The code of a connection that did what no page does"""

GROWTH = 5.0
"""MB that an attack may cost, at most"""

QUESTIONS = 20
"""What another reader asks meanwhile"""

Attack = Callable[[RawClient], Awaitable[None]]


def run(work: Awaitable[Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE / 1000):
            return await work

    return asyncio.run(limited())


def source(client: RawClient) -> str:
    return next(str(model.id) for model in client.models if type(model).__name__ == "ColumnDataSource")


def plot(client: RawClient) -> str:
    return next(str(model.id) for model in client.models if model._event_callbacks.get("tap"))


async def at_once(client: RawClient, contents: list[object]) -> None:
    """Write many messages before anything is read."""
    header = {"msgid": "1", "msgtype": "PATCH-DOC"}
    parts = [json.dumps(part) for content in contents for part in (header, {}, content)]
    await asyncio.gather(*(client.socket.write_message(part) for part in parts), return_exceptions=True)


async def array(client: RawClient) -> None:
    huge = {"type": "ndarray", "array": ["a"], "dtype": "S300000000", "shape": [1], "order": "little"}
    await client.set(source(client), "data", {"type": "map", "entries": [["x", huge]]})


async def zipped(client: RawClient) -> None:
    packed = b64encode(gzip.compress(bytes(45_000_000))).decode()
    assert len(packed) < 60_000
    await client.set(source(client), "tags", [{"type": "bytes", "data": packed}])


async def zipped_request(client: RawClient) -> None:
    packed = b64encode(gzip.compress(bytes(45_000_000))).decode()
    await client.say({"type": "bytes", "data": packed})


async def buffers(client: RawClient) -> None:
    header = {"msgid": "1", "msgtype": "PATCH-DOC", "num_buffers": 1_000_000_000}
    for text in (header, {}, {"events": []}):
        await client.socket.write_message(json.dumps(text))
    for number in range(3_000):
        await client.socket.write_message(json.dumps({"id": str(number)}))
        await client.socket.write_message(bytes(60_000), binary=True)


async def binary(client: RawClient) -> None:
    await client.socket.write_message(bytes(60_000), binary=True)


async def metadata(client: RawClient) -> None:
    for text in ({"msgid": "1", "msgtype": "PATCH-DOC"}, {"more": "x" * 60_000}):
        await client.socket.write_message(json.dumps(text))


async def whole_document(client: RawClient) -> None:
    roots = [{"type": "object", "name": "Div", "id": str(number)} for number in range(1_000)]
    await client.send("PUSH-DOC", {"doc": {"version": "3.9.2", "title": "x", "roots": roots}})


async def pull(client: RawClient) -> None:
    await client.send("PULL-DOC-REQ", {})


async def information(client: RawClient) -> None:
    await client.send("SERVER-INFO-REQ", {})


async def sets(client: RawClient) -> None:
    texts = [json.dumps({"do": "set", "values": {"folklore": bool(number % 2)}}) for number in range(300)]
    request = {"kind": "MessageSent", "msg_type": REQUEST}
    await at_once(client, [{"events": [{**request, "msg_data": text}]} for text in texts])


async def taps(client: RawClient) -> None:
    entries = [["model", {"id": plot(client)}], ["x", 0.0], ["y", 0.0]]
    data = {"type": "event", "name": "tap", "values": {"type": "map", "entries": entries}}
    events = [{"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}] * 30
    await at_once(client, [{"events": events}] * 50)


async def pings(client: RawClient) -> None:
    for _ in range(1_000):
        client.socket.ping(b"x" * 100)
    await client.ask("show")


async def other_models(client: RawClient) -> None:
    await client.set(plot(client), "name", "x" * 60_000)


async def other_messages(client: RawClient) -> None:
    await client.say("x" * 60_000, LIVE)


async def no_json(client: RawClient) -> None:
    for _ in range(3):
        await client.socket.write_message("[" * 60_000)


ATTACKS: dict[Attack, str] = {
    array: "published",
    zipped: "published",
    zipped_request: "published",
    buffers: "published",
    binary: "published",
    metadata: "published",
    whole_document: "published",
    pull: "published",
    information: "published",
    sets: "published",
    taps: "stability",
    pings: "published",
    other_models: "stability",
    other_messages: "published",
    no_json: "published",
}


async def closed(client: RawClient) -> str:
    """Wait until the server has hung up; the answers before that name nothing of its own."""
    while True:
        try:
            kind, content = await client.message()
        except ConnectionError as error:
            assert client.socket.close_code == RULES
            return str(error)
        assert kind in ("OK", "PATCH-DOC"), content


async def attacked(server: Server, attack: Attack) -> str:
    """The reason why the attacker was sent away. Another reader asks all the while, and every answer comes."""
    async with RawClient(server.url, "published") as other, RawClient(server.url, ATTACKS[attack]) as client:

        async def read() -> None:
            for number in range(1, QUESTIONS + 1):
                await other.ask("set", values={"folklore": number % 2 == 0}, n=number)
                await other.live(asked=number)

        async def strike() -> None:
            with suppress(ConnectionError, WebSocketClosedError):
                await attack(client)

        reason, *_ = await asyncio.gather(closed(client), strike(), read())
        return reason


@pytest.fixture(scope="module")
def warm(server: Server) -> Server:
    """A server that has opened what the attackers open, and has sent somebody away."""
    for attack in (binary, taps):
        for _ in range(2):
            run(attacked(server, attack))
    return server


@pytest.mark.parametrize("attack", first(6, ATTACKS), ids=lambda attack: attack.__name__)
def test_an_attack_is_cut_off_with_a_reason_and_costs_nearly_nothing(warm: Server, attack: Attack) -> None:
    assert warm.process
    memory = Memory(warm.process.pid)
    reason = run(attacked(warm, attack))
    assert memory.most < GROWTH
    assert reason.endswith(".")
    assert not any(word in reason for word in ("Error", "Traceback", "/", "app."))


@pytest.mark.parametrize(
    "token", ["x", "", "e30", b64encode(b'{"session_id": "mine", "session_expiry": 9999999999}').decode().rstrip("=")]
)
def test_a_token_that_the_server_has_not_given_opens_nothing(server: Server, token: str) -> None:
    async def attack() -> Any:
        address = f"{server.url.replace('http', 'ws', 1)}/app/ws"
        socket = await websocket_connect(address, subprotocols=["bokeh", token])
        assert await socket.read_message() is None
        socket.close()
        return socket.close_code

    assert run(attack()) == RULES


def test_a_session_has_one_page(server: Server) -> None:
    async def attack() -> Any:
        async with RawClient(server.url, "published") as client:
            second = await websocket_connect(
                f"{server.url.replace('http', 'ws', 1)}/app/ws", subprotocols=["bokeh", client.manifest["token"]]
            )
            assert await second.read_message() is None
            second.close()
            await client.ask("show", n=1)
            await client.live(asked=1)
            return second.close_code

    assert run(attack()) == RULES


@pytest.mark.parametrize("x", [{"type": "number", "value": "nan"}, {"type": "number", "value": "inf"}, "here", None])
@pytest.mark.parametrize("simulation", ["dataflow", "decision", "stability"])
def test_a_press_from_nowhere_changes_nothing(server: Server, simulation: str, x: Any) -> None:
    async def press() -> Any:
        async with RawClient(server.url, simulation) as client:
            data = {"type": "event", "name": "tap", "values": {"type": "map"}}
            data["values"] = {"type": "map", "entries": [["model", {"id": plot(client)}], ["x", x], ["y", x]]}
            event = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}
            await client.ask("show", n=1)
            before = await client.live(asked=1)
            await client.send("PATCH-DOC", {"events": [event]})
            await client.ask("show", n=2)
            after = await client.live(asked=2)
            return before["values"] == after["values"]

    assert run(press())
