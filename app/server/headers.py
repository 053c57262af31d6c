"""The headers of safety that every answer of ours has."""

from typing import Any

from tornado.web import Application, HTTPError, RequestHandler

POLICY = (
    "default-src 'self'; script-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Scripts come from files of ours. Styles may be inline: Bokeh's widgets are styled so."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Safe(RequestHandler):
    """A handler whose answers all have these headers, and whose errors are words."""

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **_more: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.finish(f"{status_code} {self._reason}\n")


class Nowhere(Safe):
    """Answers what no route is for: addresses outside of a prefix."""

    def prepare(self) -> None:
        raise HTTPError(404)


def only_safe(application: Application) -> None:
    """Take every other route away. Bokeh and Panel bring some that no page needs: the sources of this folder, and the
    resources of components, for which they import any module that a client names.
    """
    rules = application.wildcard_router.rules
    rules[:] = [rule for rule in rules if isinstance(rule.target, type) and issubclass(rule.target, Safe)]
    application.settings["default_handler_class"] = Nowhere
