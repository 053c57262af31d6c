"""Readers who do what readers do: a page and its files, its pictures one by one, states to scrub, a session at times.

Scrubbing itself asks nothing. Readers are found anywhere in their minute on a page, and leave after some pages for
newcomers with an empty cache.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks._client import Answer, Refused, fetch, figures, files, session

MINUTE = 60.0
"""Seconds that a reader stays on a page"""

ARRIVAL = 10.0
"""Seconds in which all of them arrive"""

PAGES = 10
"""Pages of one visit; on the first of them nothing is in the browser's cache"""

SCRUBBED = 0.5
"""Of the pictures that come near, those whose states are asked for"""

TOUCHED = 0.02
"""Of the instant pictures that come near, those that the reader takes hold of: 1,000 readers open between one and two
sessions a second"""

MOVES = 10
LOOK = 0.02
"""Seconds between two looks at whether this process itself is late"""

SEED = 20261122


@dataclass
class Crowd:
    """Readers, and what they waited for: requests, and sessions until their first picture. `waited`, `opened`, `late`
    hold moments (of `time.monotonic`) with seconds.
    """

    url: str
    pages: Sequence[str]
    waited: list[tuple[float, float]] = field(default_factory=list)
    opened: list[tuple[float, float]] = field(default_factory=list)
    refused: int = 0
    failed: list[str] = field(default_factory=list)
    late: list[tuple[float, float]] = field(default_factory=list)
    """How late this process was: what is measured here cannot be better"""

    async def read(self, count: int) -> None:
        """So many readers, until this is cancelled."""
        [page] = await fetch(self.url, self.pages[0])
        self._files = await files(self.url, page.text())
        await asyncio.gather(self._lateness(), *(self._reader(random.Random(SEED + index)) for index in range(count)))

    async def _reader(self, chance: random.Random) -> None:
        number, elapsed = chance.randrange(PAGES), chance.uniform(0, MINUTE)
        await asyncio.sleep(chance.uniform(0, ARRIVAL))
        while True:
            try:
                await self._page(chance, number % PAGES == 0, elapsed)
            except Refused:
                self.refused += 1
            except (OSError, ValueError, LookupError) as error:
                self.failed.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1)
            number, elapsed = number + 1, 0.0

    async def _page(self, chance: random.Random, first: bool, elapsed: float) -> None:
        """A page, entered after some seconds of it are gone."""
        began = time.monotonic() - elapsed
        slug = chance.choice(self.pages)
        page, *_files = (
            await fetch(self.url, slug) if elapsed else await self._get(slug, *(self._files if first else ()))
        )
        all_figures = list(figures(page.text()))
        for number, figure in enumerate(all_figures):
            wait = began + MINUTE * (number + 0.5) / (len(all_figures) + 1) - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
                paths = [f"{figure.folder}/picture.json"]
                if chance.random() < SCRUBBED:
                    paths.append(f"{figure.folder}/atlas.json")
                await self._get(*paths)
                if not figure.training and chance.random() < TOUCHED:
                    start = time.perf_counter()
                    async with session(self.url, figure) as live:
                        await live.answered(await live.ask("show"))
                        self.opened.append((time.monotonic(), time.perf_counter() - start))
                        for _ in range(MOVES):
                            await asyncio.sleep(chance.uniform(0.05, 0.5))
                            await live.answered(await live.ask("show"))
        await asyncio.sleep(max(0.0, began + MINUTE - time.monotonic()))

    async def _get(self, *paths: str) -> list[Answer]:
        answers = await fetch(self.url, *paths)
        self.waited += [(time.monotonic(), answer.seconds) for answer in answers]
        self.failed += [
            f"{answer.status} {path}" for answer, path in zip(answers, paths, strict=True) if answer.status >= 500
        ]
        return answers

    async def _lateness(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(LOOK)
            self.late.append((time.monotonic(), time.perf_counter() - began - LOOK))


def since(moment: float, samples: Sequence[tuple[float, float]]) -> list[float]:
    """The seconds that were found since a moment."""
    return [seconds for at, seconds in samples if at >= moment]
