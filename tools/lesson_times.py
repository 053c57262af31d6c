"""`python -m tools.lesson_times`: goes through the lesson plans with a stopwatch, and writes to `docs/lesson-times.md`
what they need next to what they plan.

A step needs time to read, at 200 words a minute, all that the plan says and all that the class is shown: the question,
its options and its reason, the caption of a figure, or the text of a section. It needs the seconds in which Chromium
opens the page and, where the plan has a network trained, the seconds from Train to the end. What is left of its minutes
is for answering and talking.
"""

import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from playwright.sync_api import Browser, Locator, Page

from sims.paths import ROOT
from tools.figure_on_page import OnPage
from tools.local_server import Server
from tools.studio import studio

PLANS = {
    "lesson-20": ("lesson-bet", 20),
    "lesson-45": ("lesson-bet", 45),
    "lesson-90": ("lesson-statements", 90),
    "lesson-language": ("lesson-language", 45),
    "lesson-bugs": ("lesson-bugs", 90),
}
"""Plan → its page, and its minutes"""

TRAINED = {"lesson-20": {7: "degradation"}, "lesson-45": {6: "degradation", 30: "identity"}}
"""Plan → minute → the figure that the class watches while it trains"""

RATE = 200
"""Words that a reader reads in a minute"""

LONGEST = 900_000
"""Milliseconds that a training run may take"""

FILE = ROOT / "docs" / "lesson-times.md"

SHOWN = """id => {
  const target = document.getElementById(id)
  if (target.matches('.predict')) return [...target.querySelectorAll('legend, .words, .how, .because > p')]
  if (target.matches('.quiz')) return [...target.querySelectorAll('legend, .words, .right .because')]
  if (target.matches('figure')) return [target.querySelector('.caption')]
  if (!target.matches('h2, h3')) return [target]
  const parts = []
  const isText = part => part && !part.matches('h2, section, figure, details')
  for (let part = target.nextElementSibling; isText(part); part = part.nextElementSibling) parts.push(part)
  return parts
}"""
"""The elements that a class reads of what a link opens"""
COUNT = f"id => ({SHOWN})(id).reduce((sum, part) => sum + (part.textContent.match(/\\S+/g) ?? []).length, 0)"


@dataclass(frozen=True)
class Timed:
    """A step of a plan: its minutes, the words to read, and the seconds of waiting: to open its page, and to train."""

    minute: int
    minutes: int
    link: str
    words: int
    opening: float = 0.0
    training: float | None = None

    @property
    def left(self) -> float:
        """Minutes that are left to answer and to talk."""
        return self.minutes - self.words / RATE - (self.opening + (self.training or 0.0)) / 60


def steps(page: Page, plan: str) -> list[Timed]:
    """The steps of a plan with the words that it says itself. `page` shows the page of the plan."""
    rows = page.locator(f"#{plan} tbody tr")
    minutes = [int(text) for text in rows.locator("th").all_inner_texts()]
    ends = [*minutes[1:], PLANS[plan][1]]
    answers = page.locator(f"#{plan}-answers dl > div")
    said = dict.fromkeys(minutes, 0)
    for answer in answers.all():
        said[int(answer.locator("dt .figure").text_content() or 0)] = _words(answer.locator("dt, dd:not(.reply)"))
    return [
        Timed(
            minute,
            end - minute,
            row.locator("a.opens").get_attribute("href") or "",
            _words(row.locator("td").first) + said[minute],
        )
        for minute, end, row in zip(minutes, ends, rows.all(), strict=True)
    ]


def _words(texts: Locator) -> int:
    return sum(len(text.split()) for text in texts.all_text_contents())


def read(page: Page, step: Timed) -> Timed:
    """The step with the words that its link shows, and with the seconds until they are there."""
    started = time.perf_counter()
    page.goto("about:blank")
    page.goto(step.link)
    anchor = step.link.rpartition("#")[2]
    opening = time.perf_counter() - started
    return Timed(step.minute, step.minutes, step.link, step.words + page.evaluate(COUNT, anchor), opening)


def trained(page: Page, step: Timed, figure: str, seed: int) -> Timed:
    """The step with the seconds in which a figure is drawn and its networks are trained, with seeds of their own."""
    path, _hash, anchor = step.link.partition("#")
    query = re.sub(r"[?&]v=\d+", "", path.partition("?")[2])
    page.goto("about:blank")
    page.goto(f"{path.partition('?')[0]}?{query}{'&' if query else ''}{figure}.seed={seed}&v=2#{anchor}")
    on_page = OnPage(page, figure)
    page.set_default_timeout(LONGEST)
    started = time.perf_counter()
    on_page.ready()
    drawn = time.perf_counter() - started
    started = time.perf_counter()
    on_page.button("Train").click()
    on_page.wait_for_status("finished")
    seconds = time.perf_counter() - started
    return Timed(step.minute, step.minutes, step.link, step.words, step.opening + drawn, seconds)


def timed(browser: Browser, server: Server, plan: str) -> Iterator[Timed]:
    """The steps of a plan, gone through in its order on a projector."""
    page = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}).new_page()
    page.goto(PLANS[plan][0])
    for step in steps(page, plan):
        done = read(page, step)
        figure = TRAINED.get(plan, {}).get(step.minute)
        yield trained(page, done, figure, seed=int(time.time()) % 900) if figure else done
    page.context.close()


def table(plan: str, done: list[Timed]) -> list[str]:
    """The rows of a plan, and their sum."""
    rows = [
        f"## `{plan}`, {PLANS[plan][1]} minutes",
        "",
        "| minute | link | planned, min | words | reading, min | opening, s | training, s | left to talk, min |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for step in done:
        seconds = "" if step.training is None else f"{step.training:.0f}"
        rows.append(
            f"| {step.minute} | `{step.link}` | {step.minutes} | {step.words} | {step.words / RATE:.1f} | "
            f"{step.opening:.1f} | {seconds} | {step.left:.1f} |"
        )
    words = sum(step.words for step in done)
    rows.append(
        f"| all | | {sum(step.minutes for step in done)} | {words} | {words / RATE:.1f} | "
        f"{sum(step.opening for step in done):.0f} | {sum(step.training or 0.0 for step in done):.0f} | "
        f"{sum(step.left for step in done):.1f} |"
    )
    return [*rows, ""]


def main(plans: list[str]) -> None:
    lines = [
        "# The lesson plans with a stopwatch",
        "",
        f"Made by `python -m tools.lesson_times` on {datetime.now(UTC):%Y-%m-%d}, with {os.cpu_count()} cores",
        f"and a load of {os.getloadavg()[0]:.0f} from other programs.",
        "",
        *[line.rstrip() for line in (__doc__ or "").split("\n\n", 1)[1].strip().splitlines()],
        "",
    ]
    with studio() as (browser, server):
        for plan in plans or PLANS:
            lines += table(plan, list(timed(browser, server, plan)))
            print("\n".join(lines[-12:]))
    FILE.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
