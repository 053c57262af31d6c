"""What benchmarks find: printed, put into one table beside the goals, kept as JSON, and compared with a run before.

A figure is several samples of one quantity. Its noise is the range of their middle half; two runs differ beyond it
where these ranges have nothing in common and the medians are more than a twentieth apart.
"""

import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sims import paths

LEAST = 1.05
"""Medians that are closer than this are the same."""


@dataclass(frozen=True)
class Figure:
    """One quantity. Without samples it has not been compared, for the reason given."""

    what: str
    samples: tuple[float, ...]
    unit: str
    goal: float | None = None
    more: bool = False
    """Whether the goal is a least number, rather than a most"""
    reason: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def noise(self) -> tuple[float, float]:
        """The range of the middle half."""
        if len(self.samples) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(self.samples, n=4, method="inclusive")
        return low, high

    @property
    def of_goal(self) -> float | None:
        """The median over the goal, or the goal over the median where more is better: up to 1 is reached."""
        if self.goal is None or not self.samples:
            return None
        return self.goal / self.median if self.more else self.median / self.goal

    def row(self) -> str:
        """A line of the table."""
        if not self.samples:
            return f"{self.what:<66} not compared: {self.reason}"
        low, high = self.noise
        goal, of_goal = "", ""
        if self.goal is not None and self.of_goal is not None:
            goal = f"{'≥' if self.more else '≤'} {self.goal:g}"
            of_goal = f"{self.of_goal:.2f}"
        return (
            f"{self.what:<66}{goal:>10}{self.median:>10.4g} {self.unit:<5}{f'{low:.4g} to {high:.4g}':>20}{of_goal:>8}"
        )


HEAD = f"{'what':<66}{'goal':>10}{'measured':>10} {'':5}{'its middle half':>20}{'of goal':>8}"

FOUND: list[Figure] = []
"""What this process has noted"""


def note(name: str, samples: Iterable[float], unit: str, goal: float | None = None, *, more: bool = False) -> Figure:
    """Print a figure and remember it."""
    figure = Figure(name, tuple(samples), unit, goal, more)
    FOUND.append(figure)
    print("  " + figure.row(), flush=True)
    return figure


def not_compared(name: str, reason: str) -> None:
    """Say that something could not be measured here."""
    FOUND.append(Figure(name, (), "", reason=reason))
    print("  " + FOUND[-1].row(), flush=True)


def processor_seconds(call: Callable[[], object]) -> float:
    """The processor time of one call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def in_turns(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The processor time of every call in each of some rounds, so that what else the machine does meets all of them.

    A call before the first round is not counted.
    """
    for call in calls.values():
        call()
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            seconds[name].append(processor_seconds(call))
    return seconds


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """Round by round."""
    return [one / other for one, other in zip(above, below, strict=True)]


def report() -> dict[str, Any]:
    """The figures, and where and when they were found."""
    return {
        "commit": _git("rev-parse", "--short", "HEAD"),
        "changed": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "machine": f"{_processor()}, {os.cpu_count()} cores",
        "load": os.getloadavg()[0],
        "figures": [asdict(figure) for figure in FOUND],
    }


def keep(content: dict[str, Any]) -> Path:
    """Write a report; its file is named for time and commit."""
    folder = paths.benchmarks()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{content['time'].replace(':', '')}-{content['commit'] or 'unknown'}.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def latest_of_another_commit(now: dict[str, Any]) -> dict[str, Any] | None:
    """The last report that was kept on this machine, of other code and with some of the same figures."""
    names = {figure["what"] for figure in now["figures"]}
    for path in sorted(paths.benchmarks().glob("*.json"), reverse=True):
        before: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        other = before["commit"] != now["commit"] or before["changed"] or now["changed"]
        shared = names & {figure["what"] for figure in before["figures"]}
        if other and before["machine"] == now["machine"] and shared and before["time"] != now["time"]:
            return before
    return None


def moved(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """A line for every figure that two reports share and that differs beyond the noise of both."""
    old, lines = {figure.what: figure for figure in _figures(before)}, []
    for figure in _figures(now):
        earlier = old.get(figure.what)
        if earlier is None or not earlier.samples or not figure.samples:
            continue
        (low, high), (was_low, was_high) = figure.noise, earlier.noise
        apart = max(figure.median, earlier.median) / max(min(figure.median, earlier.median), 1e-300)
        if (low > was_high or high < was_low) and apart > LEAST:
            times = figure.median / earlier.median if earlier.median else float("inf")
            lines.append(
                f"{figure.what:<66}{earlier.median:>10.4g} → {figure.median:.4g} {figure.unit} ({times:.2f} times)"
            )
    return lines


def _figures(content: dict[str, Any]) -> list[Figure]:
    return [Figure(**{**entry, "samples": tuple(entry["samples"])}) for entry in content["figures"]]


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], capture_output=True, text=True, cwd=Path(__file__).parent, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
