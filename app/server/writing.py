"""`make write`: lets the page in the browser find out that it has been rebuilt."""

import hashlib
import json
from collections.abc import Callable

from app.pages.files import assets
from app.pages.files.sources import HOME
from app.server.builders.site import SITE, WRITING
from app.server.http.headers import SecureHandler


def script() -> bytes:
    """The script element added to pages with `make write`; empty otherwise."""
    return f'<script type="module" src="assets/{assets.version()}/page/write.js"></script>'.encode() if WRITING else b""


class WriteModeHandler(SecureHandler):
    """Sends a hash of a page and the number of its missing numbers, as JSON, and starts computing these."""

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
