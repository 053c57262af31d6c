"""A Firefox without a window, driven by WebDriver BiDi: Playwright drives only its own build of Firefox."""

import asyncio
import json
import subprocess
import tempfile
from itertools import count
from types import TracebackType
from typing import Any

from tornado.websocket import WebSocketClientConnection, websocket_connect

from tools.local_server import PATIENCE

LISTENING = "WebDriver BiDi listening on "


class Firefox:
    """One page of a fresh profile: `with Firefox(program) as page: page.goto(url)`."""

    def __init__(self, program: str) -> None:
        self._program = program

    def __enter__(self) -> "Firefox":
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = [self._program, "--headless", "--no-remote", "--profile", self._profile.name]
        self._process = subprocess.Popen(
            [*command, "--remote-debugging-port", "0"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        assert self._process.stderr
        lines = iter(self._process.stderr.readline, "")
        address = next(line.split(LISTENING)[1].strip() for line in lines if LISTENING in line)
        self._runner = asyncio.Runner()
        self._numbers = count(1)
        self._socket = self._runner.run(self._connect(f"{address}/session"))
        self._command("session.new", capabilities={})
        self._tab = self._command("browsingContext.getTree")["contexts"][0]["context"]
        return self

    @staticmethod
    async def _connect(address: str) -> WebSocketClientConnection:
        return await websocket_connect(address)

    def __exit__(self, *failure: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.communicate()
        self._runner.close()
        self._profile.cleanup()

    def _command(self, method: str, **parameters: Any) -> Any:
        return self._runner.run(self._exchange(method, parameters))

    async def _exchange(self, method: str, parameters: dict[str, Any]) -> Any:
        number = next(self._numbers)
        await self._socket.write_message(json.dumps({"id": number, "method": method, "params": parameters}))
        while (text := await self._socket.read_message()) is not None:
            answer = json.loads(text)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
                return answer["result"]
        raise RuntimeError(f"Firefox ended the connection before it answered {method}")

    def goto(self, url: str) -> None:
        """Open an address and wait until it has loaded."""
        self._command("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, function: str) -> Any:
        """Call a function of the page, wait for its promise, and return the result, which must have a form in JSON."""
        outcome = self._command(
            "script.callFunction",
            functionDeclaration=f"async () => JSON.stringify(await ({function})())",
            awaitPromise=True,
            target={"context": self._tab},
        )
        if outcome["type"] == "exception":
            raise RuntimeError(outcome["exceptionDetails"]["text"])
        value = outcome["result"].get("value")
        return None if value is None else json.loads(value)

    def wait_for(self, condition: str) -> None:
        """Wait until an expression of the page is true. Raises RuntimeError after two minutes."""
        self.evaluate(
            f"""async () => {{
                const until = performance.now() + {PATIENCE}
                while (!({condition})) {{
                    if (performance.now() > until) throw new Error('waited in vain')
                    await new Promise(requestAnimationFrame)
                }}
            }}"""
        )
