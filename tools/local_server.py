"""Runs the site for tests, measurements and screenshots: a local server, and page visits that wait for scripts."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, Response, expect

from sims import paths

QUIET = ("gpu", "quic", "background-networking", "component-update", "sync")
FLAGS = [
    *("--no-sandbox", "--no-first-run", *(f"--disable-{feature}" for feature in QUIET)),
    # Without windows, letters would be as wide as whole pixels, and lines would break elsewhere.
    "--font-render-hinting=none",
]
PATIENCE = 120_000
"""Timeout in milliseconds for a condition; no passing test needs that long."""

expect.set_options(timeout=PATIENCE)

AWAKE = "() => typeof heard !== 'function' || document.documentElement.dataset.alive !== undefined"
"""Whether the page's scripts react to a reader's actions by now; always true for a page without scripts"""


def chromium(playwright: Playwright, *flags: str) -> Browser:
    """Start Chromium: without windows where that is installed, since it takes half the processor time of the whole
    browser, or else the whole one, or Playwright's own."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])


def awake(visit: Callable[..., Response | None]) -> Callable[..., Response | None]:
    """Make a visit wait until the page's scripts react, because real readers do nothing before that either. A visit
    that passes `wait_until` does not wait for the scripts."""

    @wraps(visit)
    def visited(page: Page, *arguments: Any, **options: Any) -> Response | None:
        answer = visit(page, *arguments, **options)
        if "wait_until" not in options:
            page.wait_for_function(AWAKE, timeout=PATIENCE)
        return answer

    return visited


Page.goto = awake(Page.goto)  # type: ignore[method-assign]
Page.reload = awake(Page.reload)  # type: ignore[method-assign]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """`panel serve app`, as in the README, on its own port."""

    port: int
    settings: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    application: str = "app"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def launch(self) -> None:
        """Start the process without waiting until it answers."""
        panel = Path(sys.executable).with_name("panel")
        environment = {**os.environ, **self.settings, "PYTHONWARNINGS": "default"}
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [panel, "serve", self.application, "--port", str(self.port)],
                cwd=paths.ROOT,
                env=environment,
                stdout=log,
                stderr=log,
            )

    def start(self) -> None:
        """Start the process, and wait until it answers."""
        self.launch()
        assert self.process is not None
        deadline = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with status {self.process.returncode}:\n{self.log()}")
            try:
                urllib.request.urlopen(f"{self.url}/health", timeout=5).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        self.process.kill()
        self.process.wait()
        raise RuntimeError(f"the server does not answer:\n{self.log()}")

    def load(self) -> None:
        """Wait until the server has loaded the code that it loads at start; other code is loaded on request."""
        deadline = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < deadline:
            with urllib.request.urlopen(f"{self.url}/health", timeout=PATIENCE / 1000) as answer:
                if json.load(answer)["loaded"]:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"the server does not get ready:\n{self.log()}")

    @property
    def _log(self) -> Path:
        return paths.cache() / f"server-{self.port}.log"

    def log(self) -> str:
        """What it has written; nothing after it has stopped without a fault."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def stop(self) -> int:
        """Stop the process, and return its status. The log of a server without a fault is deleted."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE / 1000)
        if status == 0 and "Traceback" not in self.log():
            self._log.unlink(missing_ok=True)
        return status


@contextmanager
def serving(**settings: str) -> Iterator[Server]:
    """Run a server for the duration of a `with` block. It computes nothing ahead, only what is requested."""
    running = Server(free_port(), {"SKIP_AHEAD": "no", **settings})
    running.start()
    try:
        yield running
    finally:
        running.stop()
