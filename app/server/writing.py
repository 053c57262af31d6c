"""While somebody writes (`make write`): the page in the browser is told when it has been made anew."""

import hashlib
import json
from collections.abc import Callable

from app.pages.files import assets
from app.pages.files.sources import HOME
from app.server.builders.site import SITE, WRITING
from app.server.http.headers import SecureHandler


def script() -> bytes:
    """What the page of an author loads besides."""
    return f'<script type="module" src="assets/{assets.version()}/page/write.js"></script>'.encode() if WRITING else b""


class WriteModeHandler(SecureHandler):
    """What the page looks like now, as JSON: a mark that changes with it, and how many of its numbers are missing."""

    def initialize(self, compute: Callable[[], None]) -> None:
        self._compute = compute

    async def get(self) -> None:
        try:
            page = await SITE.page(self.get_argument("page", HOME))
        except KeyError:
            self.send_error(404)
            return
        self._compute()
        mark = hashlib.sha256((page.html or page.error).encode()).hexdigest()
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps({"mark": mark, "missing": len(page.pending), "numbers": len(page.numbers)}))
