"""`/health`: whether the server lives, and how many simulations and trainings it carries."""

import json
from collections.abc import Callable

from tornado.web import RequestHandler


class Health(RequestHandler):
    """Answers 200 with counts as JSON; a container engine asks it every half minute."""

    def initialize(self, counts: Callable[[], dict[str, int]]) -> None:
        self._counts = counts

    def get(self) -> None:
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        self.write(json.dumps(self._counts()))
