"""The product's own server, with one simulation and one page more."""

import sys
from pathlib import Path

from bokeh.application.application import ServerContext

HERE = Path(__file__).resolve().parent.parent
ROOT = str(HERE.parent.parent.parent)
sys.path.insert(0, ROOT)

import app.views
import sims
from app import edition, serving
from app.prose import front_matter
from sims import registry

sims.__path__.append(str(HERE / "sims"))
app.views.__path__.append(str(HERE / "views"))

from sims.slopes import Slopes

registry.simulations()["slopes"] = Slopes
site = edition.current()
site.files["slopes"] = HERE / "slopes.md"
site.meta["slopes"] = front_matter(site.files["slopes"].read_text(), site.files["slopes"])
serving.prepare()


def on_server_loaded(server_context: ServerContext) -> None:
    """Begin; the search path is taken back after the import of this module."""
    sys.path.insert(0, ROOT)
    serving.start()


def on_server_unloaded(server_context: ServerContext) -> None:
    """End."""
    serving.stop()
