"""The headers of safety that every answer of ours has."""

from tornado.web import RequestHandler

POLICY = (
    "default-src 'self'; script-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Scripts come from files of ours. Styles may be inline: Bokeh's widgets are styled so."""


def safe(handler: RequestHandler) -> None:
    """Set them on an answer."""
    handler.set_header("Content-Security-Policy", POLICY)
    handler.set_header("X-Content-Type-Options", "nosniff")
    handler.set_header("Referrer-Policy", "same-origin")
    handler.set_header("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
