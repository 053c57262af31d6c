"""A client without a browser: speaks Bokeh's websocket protocol and keeps to none of its manners."""

import json
import urllib.parse
import urllib.request
from contextlib import suppress
from itertools import count
from ssl import SSLContext
from types import TracebackType
from typing import Any
from uuid import uuid4

from bokeh.core.serialization import Deserializer
from bokeh.document import Document
from bokeh.model import Model
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from app.bokeh_internals.messages import LIVE, REQUEST
from app.live.session import Session
from sims import registry
from tools.local_server import PATIENCE

PLACE = "raw"


class RawClient:
    """One session of one simulation, of a reader of its own: `async with RawClient(url, "degradation", depth="8") as
    client`. The models are those of a session made here: the server's have the same identifiers. `trusted` is for an
    address that nobody has signed for; the same `reader` comes again.
    """

    def __init__(
        self, url: str, simulation: str, trusted: SSLContext | None = None, reader: str = "", /, **settings: str
    ) -> None:
        self._simulation = simulation
        self._trusted = trusted
        self.reader = reader or uuid4().hex
        query = {"simulation": simulation, "place": PLACE, "reader": self.reader}
        query |= {f"p.{name}": value for name, value in settings.items()}
        address = f"{url}/open?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(address, timeout=PATIENCE / 1000, context=trusted) as answer:
            self.manifest: dict[str, str] = json.load(answer)
        self._address = f"{url.replace('http', 'ws', 1)}/app/ws?reader={self.reader}"
        self.origin = "/".join(url.split("/")[:3])
        self._numbers = count(1)
        self._over = False

    async def __aenter__(self) -> "RawClient":
        kind = registry.find(self._simulation)
        own = Session(Document(), self._simulation, kind(), place=PLACE)
        self.models: set[Model] = {reference for root in own.models for reference in root.references()}
        request = HTTPRequest(self._address, headers={"Origin": self.origin}, ssl_options=self._trusted)
        self.socket: WebSocketClientConnection = await websocket_connect(
            request, subprotocols=["bokeh", self.manifest["token"]]
        )
        assert self.socket.protocol
        self.socket.protocol.set_nodelay(True)  # as browsers have it
        assert self.socket.protocol.stream
        self._stream = self.socket.protocol.stream
        await self.message()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()
        with suppress(ConnectionError):
            while True:
                await self._fragment()
        self._stream.close()  # the server will, but this loop may be over by then

    async def _fragment(self) -> str | bytes:
        """What comes next. Raises ConnectionError where the server has hung up."""
        fragment = None if self._over else await self.socket.read_message()
        if fragment is None:
            self._over = True
            raise ConnectionError(self.socket.close_reason or "the server has closed the connection")
        return fragment

    async def send(self, kind: str, content: object) -> None:
        """One message: header, metadata and content. Raises ConnectionError where the server has hung up."""
        header = {"msgid": str(next(self._numbers)), "msgtype": kind}
        try:
            for fragment in (header, {}, content):
                await self.socket.write_message(json.dumps(fragment))
        except WebSocketClosedError as error:
            raise ConnectionError("the server has closed the connection") from error

    async def set(self, model: str, attribute: str, value: object) -> None:
        """Write any value into any attribute of any model."""
        event = {"kind": "ModelChanged", "model": {"id": model}, "attr": attribute, "new": value}
        await self.send("PATCH-DOC", {"events": [event]})

    async def say(self, data: object, kind: str = REQUEST) -> None:
        """Send any message."""
        await self.send("PATCH-DOC", {"events": [{"kind": "MessageSent", "msg_type": kind, "msg_data": data}]})

    async def ask(self, action: str, **more: object) -> None:
        """A request as the page makes it."""
        await self.say(json.dumps({"do": action, **more}))

    async def message(self) -> tuple[str, Any]:
        """The next message: its type and content. Raises ConnectionError where the server has hung up."""
        fragments = [json.loads(await self._fragment()) for _ in range(3)]
        for _ in range(2 * fragments[0].get("num_buffers", 0)):
            await self._fragment()
        return fragments[0]["msgtype"], fragments[2]

    async def live(self, **expected: object) -> dict[str, Any]:
        """Wait until the server tells its page something that has these entries."""
        while True:
            kind, content = await self.message()
            if kind != "PATCH-DOC":
                continue
            for event in content["events"]:
                if event.get("msg_type") == LIVE:
                    state: dict[str, Any] = Deserializer().decode(event["msg_data"])
                    if expected.items() <= state.items():
                        return state
