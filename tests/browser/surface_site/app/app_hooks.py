"""The product's own server, with one simulation and one page more."""

import shutil
import sys
from pathlib import Path

from bokeh.application.application import ServerContext

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

import app.views
import sims.simulations
from app.pages.markdown.prose import front_matter
from app.pages.output.cached_page import CachedPage
from app.pages.output.site_builder import SiteBuilder
from app.prerender import store
from app.prerender.build import put
from app.server import serving
from app.server.builders.site import SITE

HERE = Path(__file__).resolve().parent.parent
SLUG = "slopes"

sims.__path__.append(str(HERE / "sims"))
sims.simulations.__path__.append(str(HERE / "sims" / "simulations"))
app.views.__path__.append(str(HERE / "views"))

others = SITE.page


async def page(slug: str) -> CachedPage:
    """A page of the site, or the one for the surfaces, which is made here: the builder does not know it."""
    if slug != SLUG:
        return await others(slug)
    site = SiteBuilder()
    file = site.files[SLUG] = HERE / f"{SLUG}.md"
    site.meta[SLUG] = front_matter(file.read_text(), file)
    for key, place in site.page(SLUG).places.items():
        shutil.rmtree(store.folder(key), ignore_errors=True)
        put(key, place)
    return CachedPage(SLUG, site.html(SLUG))


SITE.page = page
serving.prepare()


def on_server_loaded(server_context: ServerContext) -> None:
    """Begin; the search path is taken back after the import of this module."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
    serving.start()


def on_server_unloaded(server_context: ServerContext) -> None:
    """End."""
    serving.stop()
