"""Phones of a class without browsers: each speaks with a room as the scripts of a page do (`app/static/classroom`)."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPResponse

from tests.browser.raw_client import RawClient
from tools.local_server import PATIENCE

ANYBODY = "anybody"
TOO_OFTEN = 429
WAITS_AT_ONCE = 8
"""Requests that one phone may have open at the same time"""


class Phone:
    """A member of a room. It waits for news all the time, and goes to the page to which the class is brought."""

    def __init__(self, client: AsyncHTTPClient, url: str, code: str, headers: dict[str, str]) -> None:
        self._client, self._url, self.code, self._headers = client, url, code, headers
        self.tokens: list[str] = []
        """One for each time it has joined, the last one in use"""
        self.place = self.ended = self.html = ""
        self.news: dict[str, Any] = {}
        self.received: list[str] = []
        """Everything that the room has told it, except for its own tokens"""
        self._changed = asyncio.Condition()

    async def fetch(self, path: str, token: str = "", **options: Any) -> HTTPResponse:
        headers = self._headers | ({"X-Room": token} if token else {})
        return await self._client.fetch(
            self._url + path, headers=headers, raise_error=False, request_timeout=PATIENCE / 1000, **options
        )

    async def say(self, do: str, token: str = "", **more: Any) -> tuple[int, dict[str, Any]]:
        """Send a request to the room; returns the status and the reply."""
        body = json.dumps({"do": do, **more})
        answer = await self.fetch(f"/room/{self.code}", token or self.tokens[-1], method="POST", body=body)
        if do != "join":
            self.received.append(answer.body.decode())
        return answer.code, json.loads(answer.body)

    async def insist(self, do: str, **more: Any) -> None:
        """Send a request until the room takes it: a phone that has sent too much has to wait for a moment."""
        while (answer := await self.say(do, **more))[0] == TOO_OFTEN:
            pass
        assert answer == (200, {})

    async def join(self) -> None:
        """Join the room, and listen to it from now on."""
        status, reply = await self.say("join", ANYBODY)
        assert status == 200, reply
        self.tokens.append(reply["token"])
        self.place = ""
        self._listening = asyncio.create_task(self._listen())

    async def hang_up(self) -> None:
        """Stop listening, without a word to the room, as a tab does that is closed."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)

    async def until(self, condition: Callable[["Phone"], object]) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._listening.done() or condition(self))
        if self._listening.done():
            self._listening.result()
        assert condition(self)

    async def train(self, simulation: str, settings: dict[str, str]) -> dict[str, Any]:
        """Open the simulation of a page, and train it unless somebody has: the state at the end."""
        session = await asyncio.to_thread(RawClient, self._url, simulation, **settings)
        async with session as live:
            await live.ask("show")
            state = await live.live()
            if not is_complete(state):
                await live.ask("play")
            while not is_complete(state):
                state = await live.live()
            return state

    async def _listen(self) -> None:
        since, calls, page = 0, 0, "room"
        while not self.ended:
            answer = await self.fetch(f"/room/{self.code}/news?since={since}&page={page}", self.tokens[-1])
            if answer.code == TOO_OFTEN:
                continue
            assert answer.code == 200, answer.body
            self.received.append(answer.body.decode())
            news = json.loads(answer.body)
            self.ended = news.get("ended", "")
            if not self.ended:
                since = news["version"]
            if news.get("calls", 0) > calls:
                calls, since, place = news["calls"], 0, news["place"]
                page = place.partition("?")[0].partition("#")[0]
                self.html = (await self.fetch(f"/{page}")).body.decode()
                self.place = place
                continue
            async with self._changed:
                self.news = news
                self._changed.notify_all()


def is_complete(state: dict[str, Any]) -> bool:
    return state.get("step") is not None and bool(state["step"] == state["steps"])


class Phones:
    """`with Phones(url, code, 28, headers) as phones`: so many members, in a thread of their own, because the browser
    has its event loop in that of the test."""

    def __init__(self, url: str, code: str, count: int, headers: dict[str, str]) -> None:
        self._of = url, code, headers
        self._count = count
        self.all: list[Phone] = []

    def __enter__(self) -> "Phones":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.do(self._join())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.gather(lambda phone: phone.hang_up())
        self._client.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _join(self) -> None:
        url, code, headers = self._of
        self._client = AsyncHTTPClient(force_instance=True, max_clients=WAITS_AT_ONCE * self._count)
        self.all = [Phone(self._client, url, code, headers) for _ in range(self._count)]
        await asyncio.gather(*(phone.join() for phone in self.all))

    def do(self, work: Awaitable[Any]) -> Any:
        """Wait for something that phones do."""

        async def limited() -> Any:
            async with asyncio.timeout(PATIENCE / 1000):
                return await work

        return asyncio.run_coroutine_threadsafe(limited(), self._loop).result()

    def gather(self, work: Callable[[Phone], Awaitable[Any]], among: Sequence[Phone] = ()) -> list[Any]:
        """Wait until all, or some of them, have done something at the same time; returns what they got, in order."""

        async def together() -> list[Any]:
            return await asyncio.gather(*(work(phone) for phone in among or self.all))

        return list(self.do(together()))
