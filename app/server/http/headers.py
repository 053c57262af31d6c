"""The security headers of every response, and which responses pages of other sites may read or frame."""

import re
from typing import Any

from tornado.web import Application, HTTPError, RequestHandler

from app import settings

POLICY = (
    "default-src 'self'; script-src 'self' blob: 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Scripts come from our own files only, and so does WebAssembly, which browsers run only where a policy names it.
Styles may be inline: Bokeh's widgets need that."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


ANY, NOBODY = "any", "none"

SITE = re.compile(r"(?:https?://)?(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::(?:\d{1,5}|\*))?")
"""A host source, in the syntax of a content security policy"""

NO_ORIGIN = "null"
"""The Origin header that a browser sends for a page in a sandboxed frame"""


def framed_by() -> str:
    """The sites that may show `/embed` in a frame, from `SKIP_FRAMED_BY`: "any", "none", or sites separated by spaces.

    Raises ValueError if it is none of these.
    """
    sites = settings.framed_by() or [ANY]
    if sites not in ([ANY], [NOBODY]) and not all(SITE.fullmatch(site) for site in sites):
        raise ValueError(
            f"SKIP_FRAMED_BY is {' '.join(sites)!r}, and must be any, none, or like https://lms.example.org"
        )
    return " ".join(sites)


def framed_policy() -> str:
    """The content security policy of a page for frames.

    It allows a `<base>` element, since these pages are in a folder. For "any" it has no `frame-ancestors`: a file on a
    disk may then frame the page too, and no value of the directive allows that.
    """
    head = POLICY.rpartition(";")[0].replace("base-uri 'none'", "base-uri 'self'")
    sites = framed_by()
    return head if sites == ANY else f"{head}; frame-ancestors 'self' {'' if sites == NOBODY else sites}".strip()


class SecureHandler(RequestHandler):
    """A handler whose responses all have the security headers, and whose errors are plain text."""

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def write_error(self, status_code: int, **_more: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Cache-Control", "no-cache")
        self.finish(f"{status_code} {self._reason}\n")


class CorsHandler(SecureHandler):
    """A handler whose responses any origin may read: a sandboxed frame has no origin, not even ours."""

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Access-Control-Allow-Origin", "*")


class NotFoundHandler(SecureHandler):
    """Answers 404 to addresses that match no route, such as those outside a prefix, and completes the prefix itself."""

    def prepare(self) -> None:
        prefix = getattr(self.application, "prefix", "")
        if not prefix or self.request.path != prefix:
            raise HTTPError(404)
        query = f"?{self.request.query}" if self.request.query else ""
        self.redirect(f"{prefix.rpartition('/')[2]}/{query}", permanent=True)


def only_safe(application: Application) -> None:
    """Remove every route whose handler is not a `SecureHandler`.

    Bokeh and Panel add routes that no page needs: the source files of this folder, and the resources of components, for
    which they import any module that a client names.
    """
    rules = application.wildcard_router.rules
    rules[:] = [rule for rule in rules if isinstance(rule.target, type) and issubclass(rule.target, SecureHandler)]
    application.settings["default_handler_class"] = NotFoundHandler
