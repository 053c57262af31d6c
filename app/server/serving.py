"""What `panel serve app` needs and no flag may be forgotten for: routes, limits, origins, workers, sessions."""

import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

import panel as pn
from bokeh.server.urls import toplevel_patterns
from bokeh.server.views.ws import WSHandler
from tornado.ioloop import IOLoop
from tornado.websocket import WebSocketHandler

from app.live.session import Session
from app.pages.errors import ROOT
from app.runs import jobs
from app.runs.backends import backend_from_environment
from app.server import handlers
from app.server.health import Health
from app.server.process_group import ProcessGroup
from sims import registry
from sims.contract import address
from sims.contract.parameters import LONGEST, read

log = logging.getLogger(__name__)

MESSAGE_LIMIT = 64 * 1024
"""Bytes of one websocket message from a browser; the page's own stay below 3 kB."""

SESSIONS_LIMIT = int(os.environ.get("SKIP_SESSIONS", "200"))
"""Live simulations in all; over it the page says that the server is busy, and reading still works."""

MANIFEST = """{"token": {{ doc.token|tojson }}, "root": {{ roots[0].id|tojson }}, "refused": {{ refused|tojson }}}"""

scheduler: jobs.Jobs | None = None
computing: ProcessGroup | None = None
sessions: set[Session] = set()


def prepare() -> None:
    """Set what the server reads while it is made."""
    os.environ["BOKEH_RESOURCES"] = "server"
    pn.config.reconnect = False
    toplevel_patterns[:0] = [(r"/health", Health, {"counts": counts}), *handlers.ROUTES]
    setattr(WSHandler, "max_message_size", MESSAGE_LIMIT)  # noqa: B010 - a property of its base class
    setattr(WSHandler, "check_origin", check_origin)  # noqa: B010


def check_origin(handler: WebSocketHandler, origin: str) -> bool:
    """Whether a page from `origin` may open a websocket: those of `SKIP_ORIGINS` (hosts, by comma), or else our own."""
    allowed = [each.strip() for each in os.environ.get("SKIP_ORIGINS", "").split(",") if each.strip()]
    if allowed:
        return origin.partition("//")[2] in allowed
    return WebSocketHandler.check_origin(handler, origin)


def counts() -> dict[str, int]:
    """What is alive on this server."""
    training = sum(1 for session in sessions if session.run and session.run.playing)
    return {"sessions": len(sessions), "training": training}


def start() -> None:
    """Make the scheduler and warm its workers; numbers of the prose that are still missing are computed meanwhile."""
    global scheduler, computing
    scheduler = jobs.Jobs(backend_from_environment())
    IOLoop.current().add_callback(scheduler.warm)
    if any(page.pending for page in handlers.warm()):
        log.warning("Some numbers of the prose are not in the cache and are being computed; `make warm` does it ahead.")
        computing = ProcessGroup([sys.executable, "-m", "app.server.warm"], ROOT)


def stop() -> None:
    """End the workers."""
    if scheduler is not None:
        scheduler.close()
    if computing is not None:
        computing.end()


def _text(arguments: Mapping[str, list[bytes]], name: str) -> str:
    values = arguments.get(name) or [b""]
    return values[0].decode(errors="replace")


def serve_simulation() -> None:
    """Answer one visit of the application: a session, and a manifest that tells the page how to embed it."""
    arguments: Mapping[str, list[bytes]] = pn.state.session_args
    document = pn.state.curdoc
    refused = ""
    root: pn.viewable.Viewable = pn.Spacer(width=0, height=0)
    try:
        name = _text(arguments, "simulation")[:LONGEST]
        if len(sessions) >= SESSIONS_LIMIT:
            raise jobs.Busy(
                "Many simulations are running on this server just now. Reading works; try again in a minute."
            )
        root = _open(document, name, arguments)
    except (KeyError, jobs.Busy) as error:
        refused = str(error.args[0])
    template = pn.Template(MANIFEST)
    template.add_variable("refused", refused)
    template.add_panel("simulation", root)
    template.servable(title=name)


def _open(document: Any, name: str, arguments: Mapping[str, list[bytes]]) -> pn.viewable.Viewable:
    if scheduler is None:
        raise jobs.Busy("The server is still starting.")
    simulation = registry.find(name)
    texts = {key.removeprefix("p."): _text(arguments, key) for key in arguments if key.startswith("p.")}
    settings, notes = read(simulation, texts)
    session = Session(document, name, simulation(**settings), address.notes(_text(arguments, "v")) + notes)
    layout = session.layout()
    session.begin(scheduler, _text(arguments, "reader")[:LONGEST] or document.session_context.id)
    sessions.add(session)

    def destroyed(_context: object) -> None:
        sessions.discard(session)
        session.end()

    document.on_session_destroyed(destroyed)
    return layout
