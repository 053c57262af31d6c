"""Bokeh's server with our routes and our HTTP server, which `panel serve` uses without any option."""

from collections.abc import Callable, Sequence
from typing import Any

import bokeh.server.tornado
from bokeh.server import server
from bokeh.server.urls import per_app_patterns, toplevel_patterns
from tornado.httpserver import HTTPServer
from tornado.web import RequestHandler

Route = tuple[Any, ...]
"""A pattern, its handler, and the handler's arguments if it has any, as Tornado takes them"""


def replace_routes(site: Sequence[Route], application: Sequence[Route], icon: type[RequestHandler]) -> None:
    """Serve the whole site with `site`, and the addresses below an application with `application`.

    `icon` serves the icon that browsers ask for by themselves: Bokeh puts its own handler before all patterns.
    """
    toplevel_patterns[:] = site
    per_app_patterns[:] = application
    setattr(bokeh.server.tornado, "IcoHandler", icon)  # noqa: B010 - no name that type checkers know


def replace_http_server(make: Callable[..., HTTPServer]) -> None:
    """Have Bokeh make its HTTP server with `make(application: Application, **options)`."""
    setattr(server, "HTTPServer", make)  # noqa: B010 - the name under which Bokeh makes its own
