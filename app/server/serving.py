"""Configures and runs the server inside `panel serve app`, without any flags: routes, limits, workers, sessions."""

import asyncio
import gc
import logging
import os
import re
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.io import curdoc
from tornado.ioloop import IOLoop
from tornado.web import Application

from app import settings
from app.bokeh_internals.server import replace_http_server, replace_routes
from app.live.session import Session
from app.pages.data import feedback, site_url
from app.pages.files.sources import HOME
from app.prerender.build import COMPLETE
from app.runs import jobs, suspended_runs
from app.runs.create_scheduler import create_scheduler
from app.runs.engine import Engine
from app.server import handlers
from app.server.builders.process_group import ProcessGroup
from app.server.builders.site import SITE, WRITING
from app.server.http.headers import framed_by, only_safe
from app.server.http.health import HealthHandler
from app.server.http.listening import LimitedHTTPServer, allow_many_files
from app.server.sessions.session_endpoint import LIVE, REFUSED
from app.server.sessions.session_websocket import SessionWebSocket
from app.server.writing import WriteModeHandler
from sims import registry
from sims.chunks.preparation import load_instant
from sims.contract import address
from sims.contract.parameters import LONGEST, read
from sims.kept import results
from sims.kept.processes import collect_as_usual, collect_rarely
from sims.paths import ROOT

log = logging.getLogger(__name__)

PLACE = re.compile(r"[A-Za-z][\w-]{0,63}")
"""The id of a figure on a page"""

AHEAD = settings.ahead()
"""Whether missing numbers and states are computed in the background, which takes up to an hour"""

FEW = 20
"""Sessions that may be open when the loaded objects are frozen: about a MB of each stays when it ends"""

scheduler: jobs.Jobs | None = None
engine: Engine | None = None
computing: ProcessGroup | None = None
filling: ProcessGroup | None = None
loaded = False


def prepare() -> None:
    """Configure Bokeh and Panel before the server is created. Raises ValueError for an invalid setting."""
    collect_rarely()
    site_url.base_url()
    framed_by()
    feedback.checked()
    os.environ["BOKEH_RESOURCES"] = "server"
    pn.config.reconnect = False
    routes = [(r"/health", HealthHandler, {"report": report}), *handlers.ROUTES]
    if WRITING:
        routes.insert(0, (r"/writing", WriteModeHandler, {"compute": compute_missing}))
    application = [(r"/ws", SessionWebSocket), (r"/?", handlers.ApplicationHandler)]
    replace_routes(routes, application, handlers.IconHandler)
    replace_http_server(listen)
    allow_many_files()


def listen(application: Application, **options: Any) -> LimitedHTTPServer:
    """Create the HTTP server of an application, from which all routes but ours are removed."""
    only_safe(application)
    # Without the option, Bokeh has only the host `localhost` here.
    origins = getattr(application, "websocket_origins", ())
    if ignored := sorted(origin for origin in origins if origin.partition(":")[0] != "localhost"):
        log.warning("--allow-websocket-origin %s has no effect: set SKIP_ORIGINS instead.", ", ".join(ignored))
    return LimitedHTTPServer(application, **options)


def report() -> dict[str, Any]:
    """The report for `/health`: the state of the site and the engine, and the number of sessions and trainings."""
    state, why = SITE.state()
    training = sum(1 for session in LIVE.values() if session.controller.playing)
    compiled = engine is None or engine.complete
    return {
        "state": state,
        "why": why,
        "engine": compiled,
        "loaded": loaded,
        "sessions": len(LIVE),
        "training": training,
    }


def start() -> None:
    """Create the scheduler, then prepare everything else in the background: pages, the engine, and missing numbers."""
    global scheduler, engine
    scheduler, engine = create_scheduler()
    IOLoop.current().add_callback(complete)


async def complete() -> None:
    """Build the site and prepare the workers; then start the long computations of what is missing."""
    SITE.start()
    await SITE.page(HOME)
    IOLoop.current().add_callback(ready)
    await SITE.build.wait(COMPLETE)
    state, why = SITE.state()
    if state == "degraded":
        log.warning("The site is not complete: %s", why)
    if AHEAD:
        compute_missing()
        fill()


def fill() -> None:
    """Start the rest of the build in the background: tables of worked examples, and states that can be scrubbed."""
    global filling
    filling = ProcessGroup([sys.executable, "-m", "app.prerender"], ROOT)


async def ready() -> None:
    """Compile the engine if needed, start the workers, and load what this process needs itself."""
    global loaded
    # All sessions share one thread: loading this when the first reader needs it would block all others.
    instant = asyncio.create_task(asyncio.to_thread(load))
    if engine is not None:
        await engine.prepare()
    if scheduler is not None:
        scheduler.warm()
    await instant
    settle()
    loaded = True


def settle() -> None:
    """Look for unused objects as often as usual again, but not among those that are loaded now and stay: whenever
    sessions have ended, Panel looks through all objects, and all readers wait for it."""
    gc.collect()
    if len(LIVE) <= FEW:
        gc.freeze()
    collect_as_usual()


def load() -> None:
    """Load the code that this process runs itself, and read the code whose version names the runs that are kept."""
    load_instant()
    for kind in map(registry.find, registry.names()):
        results.code_of(kind)


def compute_missing() -> None:
    """Start computing missing numbers in the background, unless that is already under way."""
    global computing
    if SITE.pending() and (computing is None or not computing.running):
        log.warning("Computing missing numbers in the background; `make numbers` computes them ahead of time.")
        computing = ProcessGroup([sys.executable, "-m", "tools.numbers"], ROOT)
        IOLoop.current().add_callback(show_numbers, computing)


async def show_numbers(group: ProcessGroup) -> None:
    """Rebuild the pages when their numbers are computed; with `make write` the build itself watches for them."""
    await asyncio.to_thread(group.wait)
    if WRITING:
        return
    # A build may still be compiling kernels: it makes no more pages, and no other build can start until it ends.
    await SITE.build.ended()
    if scheduler is not None:  # the server has not stopped
        SITE.start()


def keep_runs() -> None:
    """Write every unfinished run to disk, so that its page can continue it on the next server."""
    for session in LIVE.values():
        suspended_runs.write(session.stash_run())


def stop() -> None:
    """Write unfinished runs to disk, and end the workers and every other process that was started."""
    global scheduler
    keep_runs()
    SITE.end()
    if engine is not None:
        engine.end()
    if scheduler is not None:
        scheduler.close()
        scheduler = None
    for group in (computing, filling):
        if group is not None:
            group.end()


def _text(arguments: Mapping[str, list[bytes]], name: str) -> str:
    values = arguments.get(name) or [b""]
    return values[0].decode(errors="replace")


def serve_simulation() -> None:
    """Create the session for the current document, or put the reason for refusing it into the template variables."""
    document = curdoc()
    context: Any = document.session_context
    arguments: Mapping[str, list[bytes]] = context.request.arguments
    try:
        _open(document, arguments, context.id)
    except (KeyError, jobs.Busy) as error:
        document.template_variables[REFUSED] = str(error.args[0])


def _open(document: Document, arguments: Mapping[str, list[bytes]], session_id: str) -> None:
    if scheduler is None:
        raise jobs.Busy("The server is still starting.")
    name, place = _text(arguments, "simulation")[:LONGEST], _text(arguments, "place")
    if not PLACE.fullmatch(place):
        raise KeyError("There is no such place on a page.")
    simulation = registry.find(name)
    texts = {key.removeprefix("p."): _text(arguments, key) for key in arguments if key.startswith("p.")}
    settings, notes = read(simulation, texts)
    reader = _text(arguments, "reader")[:LONGEST]
    owner = f"{reader} {place}" if reader else ""
    for other in LIVE.values():
        if owner and other.handover.owner == owner:  # its connection is lost, which the server has not noticed
            other.stash_run()
            other.handover.owner = ""  # what it keeps later is older than what this one reaches
    session = Session(
        document,
        name,
        simulation(**settings),
        place=place,
        notes=address.notes(_text(arguments, "v")) + notes,
        open_run=partial(scheduler.open, reader or session_id),
        owner=owner,
    )
    with document.models.freeze():
        for model in session.models:
            document.add_root(model)
    # The page already has all these models: later messages may refer to them by id.
    document.models.flush_synced()
    LIVE[session_id] = session

    def destroyed(_context: object) -> None:
        del LIVE[session_id]
        session.end()

    document.on_session_destroyed(destroyed)
