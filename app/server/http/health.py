"""`/health`: whether the server is complete, and how many sessions and trainings it has."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from app.server.http.headers import SecureHandler


class HealthHandler(SecureHandler):
    """Answers 200 with a state and counts as JSON; a container engine requests it every half minute.

    `state` is "starting" until all pages are built, "degraded" if a page cannot be made or lacks numbers, and "ready"
    otherwise. A server in any of these states sends pages, so none of them is an error. `loaded` says whether the code
    that the server loads in the background, after its home page is ready, is in memory.
    """

    def initialize(self, report: Callable[[], Mapping[str, Any]]) -> None:
        self._report = report

    def get(self) -> None:
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.write(json.dumps(self._report()))
