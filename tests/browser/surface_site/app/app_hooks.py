"""The product's own server, with one simulation and one page more."""

import sys
from pathlib import Path

from bokeh.application.application import ServerContext

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

import app.views
import sims
from app.pages import edition
from app.pages.prose import front_matter
from app.server import serving
from sims import simulations

HERE = Path(__file__).resolve().parent.parent

sims.__path__.append(str(HERE / "sims"))
simulations.__path__.append(str(HERE / "sims" / "simulations"))
app.views.__path__.append(str(HERE / "views"))


class Edition(edition.Edition):
    """The site with a page for the surfaces."""

    def __init__(self) -> None:
        super().__init__()
        file = self.files["slopes"] = HERE / "slopes.md"
        self.meta["slopes"] = front_matter(file.read_text(), file)


edition.Edition = Edition
serving.prepare()


def on_server_loaded(server_context: ServerContext) -> None:
    """Begin; the search path is taken back after the import of this module."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
    serving.start()


def on_server_unloaded(server_context: ServerContext) -> None:
    """End."""
    serving.stop()
