"""`/health`: whether the server lives and is complete, and how many simulations and trainings it carries."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from app.server.http.headers import SecureHandler


class HealthHandler(SecureHandler):
    """Answers 200 with a state and counts as JSON; a container engine asks it every half minute.

    `state` is "starting" while pages are made for the first time, "degraded" where a page cannot be made or lacks
    numbers, and "ready" otherwise. A server in any of them sends pages, so none is an error. `loaded` says that it has
    the code in memory that it loads by itself, behind its first page.
    """

    def initialize(self, report: Callable[[], Mapping[str, Any]]) -> None:
        self._report = report

    def get(self) -> None:
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.write(json.dumps(self._report()))
