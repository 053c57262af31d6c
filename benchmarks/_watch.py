"""`python -m benchmarks._watch URL SECONDS`: what is felt while others read; in a process of its own, so that it waits
for the server and not for its own crowd. Prints JSON: lists of seconds, pictures a second of every training, and how
trainings ended that had not taken all steps.
"""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack, suppress
from typing import Any

from benchmarks._client import Figure, Live, fetch, figures, session

TRAININGS = 5
HEAVY = {"depth": "56", "training_steps": "2400"}
BLOCKS = ("20", "21")
"""Two places of the slider that is dragged"""

APART = 0.03
"""Seconds between two small requests, and from a picture to the next move of a drag"""

OVER = ("finished", "diverged", "failed", "paused")
"""What a training is when it goes no further by itself"""

LATEST = 20.0
"""Seconds after which a move counts as unanswered, and the next is made"""


async def small_requests(url: str, until: float) -> list[float]:
    """How long the smallest answer takes: as long as the server's event loop is busy with something else."""
    seconds: list[float] = []
    while time.monotonic() < until:
        seconds += [answer.seconds for answer in await fetch(url, "robots.txt")]
        await asyncio.sleep(APART)
    return seconds


async def drag(live: Live, until: float) -> list[float]:
    """From a move of a slider to the picture, by the clock."""
    seconds: list[float] = []
    while time.monotonic() < until:
        began = time.perf_counter()
        with suppress(TimeoutError):
            async with asyncio.timeout(LATEST):
                await live.answered(await live.ask("set", values={"blocks": BLOCKS[len(seconds) % 2]}))
        seconds.append(time.perf_counter() - began)
        await asyncio.sleep(APART)
    return seconds


async def train(live: Live, seconds: float, ended: list[str]) -> float:
    """Pictures a second of a training that begins again where it ends; how it ended goes into `ended`, unless it had
    taken its last step."""
    count, last, request = 0, -1, 0
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                message = await live.told()
                count += message.get("step", -1) != last
                last = message.get("step", -1)
                if message["asked"] >= request and not message["playing"] and message["status"] in OVER:
                    if last != message.get("steps"):
                        ended.append(f"{message['status']} at step {last}: {message['message']}")
                    await live.ask("restart")
                    request = await live.ask("play")
    return count / seconds


async def watch(url: str, seconds: float) -> dict[str, Any]:
    """Everything at once."""
    first_figures: dict[str, Figure] = {}
    for page in ("degradation", "gradient-paths"):
        [answer] = await fetch(url, page)
        first_figures |= {figure.simulation: figure for figure in figures(answer.text())}
    async with AsyncExitStack() as stack:
        lives = [
            await stack.enter_async_context(session(url, first_figures["degradation"], **HEAVY, learning_rate=rate))
            for rate in ("0.01", "0.02", "0.05", "0.1", "0.2")[:TRAININGS]
        ]
        for live in lives:
            await live.ask("restart")
            await live.ask("play")
            while (await live.told()).get("step", 0) < 1:
                pass
        dragged = await stack.enter_async_context(session(url, first_figures["gradient_floor"]))
        until = time.monotonic() + seconds
        ended: list[str] = []
        small, drags, *rates = await asyncio.gather(
            small_requests(url, until), drag(dragged, until), *(train(life, seconds, ended) for life in lives)
        )
    return {"small": small, "drags": drags, "rates": rates, "ended": ended}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(watch(sys.argv[1], float(sys.argv[2])))))
