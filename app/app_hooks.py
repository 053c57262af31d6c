"""Runs when `panel serve app` starts, before the server is made: puts our routes in front and starts the workers."""

import sys
from pathlib import Path

from bokeh.application.application import ServerContext

# `panel serve` puts neither the working directory nor this folder's parent on the path, and takes back what a hook's
# module does to it; so it is done again when the server is there.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.server import serving

serving.prepare()


def on_server_loaded(server_context: ServerContext) -> None:
    """Start the workers while the first reader is still reading."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    serving.start()


def on_server_unloaded(server_context: ServerContext) -> None:
    """Leave no worker behind."""
    serving.stop()
