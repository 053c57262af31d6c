"""Hooks that `panel serve app` calls: install our routes before the server is created, and start the workers."""

import sys
from pathlib import Path

from bokeh.application.application import ServerContext

# `panel serve` puts neither the working directory nor this folder's parent on the path, and undoes what a hook's module
# does to it. So the server-loaded hook must do this again.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.server import serving

serving.prepare()


def on_server_loaded(server_context: ServerContext) -> None:
    """Start the workers early, while the first reader is still reading."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    serving.start()


def on_server_unloaded(server_context: ServerContext) -> None:
    """End all workers."""
    serving.stop()
