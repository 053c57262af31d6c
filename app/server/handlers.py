"""HTTP handlers for everything except live simulations: pages, files, robots.txt. `ROUTES` replaces Bokeh's routes."""

import gzip
import json
import re
from typing import Any

from tornado.web import HTTPError

from app.pages.data import changelog
from app.pages.data.feedback import with_feedback
from app.pages.data.renames import RENAMES
from app.pages.data.site_url import base_url, from_folder, with_base_url
from app.pages.document.editable_numbers import restored
from app.pages.document.figure_placement import FigurePlacement
from app.pages.exports.citations import REFERENCE_FILES, reference_file
from app.pages.exports.code_files import CODE_FILES, code_file
from app.pages.exports.quiz_files import FORMATS, quiz_file
from app.pages.files import assets, quiz_names
from app.pages.files.sources import EMBED, HOME, MISSING
from app.pages.output import search_index
from app.pages.output.cached_page import CachedPage
from app.prerender import store
from app.server.builders.site import SITE
from app.server.classroom import room_routes
from app.server.http import oembed
from app.server.http.crawlers import robots, sitemap
from app.server.http.headers import CorsHandler, SecureHandler, framed_policy
from app.server.sessions.session_endpoint import REFUSED, CreateSessionHandler
from app.server.writing import script
from sims.kept import browser_kernels as kernels
from sims.paths import CONTENT

SHORTLY = "no-cache"
FOR_MINUTES = "public, max-age=300, stale-while-revalidate=3600"
FOR_A_YEAR = "public, max-age=31536000, immutable"

KERNEL_TYPES = {
    "bin": "application/octet-stream",
    "json": "application/json; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
}


class CompressedHandler(SecureHandler):
    """Base of most handlers: compression, cache headers, and HEAD requests."""

    async def head(self, *parts: str) -> None:
        answer = self.get(*parts)
        if answer is not None:
            await answer

    def send(self, body: bytes, kind: str, keep: str, zip_it: bool = True) -> None:
        """Send this body; `keep` is the Cache-Control header, `kind` the content type."""
        self.set_header("Content-Type", kind)
        self.set_header("Cache-Control", keep)
        if zip_it:
            self.set_header("Vary", "Accept-Encoding")
            if "gzip" in self.request.headers.get("Accept-Encoding", ""):
                self.set_header("Content-Encoding", "gzip")
                body = assets.zipped(body)
        self.finish(body)

    def send_zipped(self, zipped: bytes, kind: str, keep: str) -> None:
        """Send a body that is compressed already, as it is or unpacked for a client that does not take it."""
        self.set_header("Content-Type", kind)
        self.set_header("Cache-Control", keep)
        self.set_header("Vary", "Accept-Encoding")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(zipped)
        else:
            self.finish(gzip.decompress(zipped))


class PageHandler(CompressedHandler):
    """Sends a page, or the page for missing addresses."""

    async def get(self, slug: str = "") -> None:
        if slug in RENAMES.pages:
            self.move(RENAMES.pages[slug])
        else:
            await self.answer(MISSING if slug == HOME else slug or HOME)

    def move(self, address: str) -> None:
        """Redirect to the new address of this page, with the query of the old one."""
        query = f"?{self.request.query}" if self.request.query else ""
        self.redirect(f"{address}{query}", permanent=True)

    async def answer(self, slug: str, depth: int = 0) -> None:
        """Send a page; the requested address is `depth` folders below the site's."""
        try:
            page = await SITE.page(slug)
        except KeyError:
            page = await SITE.page(MISSING)
        if page.error:
            self.set_status(500)
            self.send(f"This page cannot be made: {page.error}\n".encode(), "text/plain; charset=utf-8", SHORTLY)
            return
        if page.slug == MISSING:
            self.set_status(404)
        lasting = page.slug != MISSING and not page.pending
        html = with_feedback(with_base_url(page.html, base_url()))
        html = from_folder(html, "../" * depth) if page.slug == MISSING else html
        html = html.replace("</head>", f"{self.shown(page)}</head>", 1)
        body = html.encode().replace(b"</body>", script() + b"</body>")
        self.send(body, "text/html; charset=utf-8", FOR_MINUTES if lasting else SHORTLY)

    def shown(self, page: CachedPage) -> str:
        """The oEmbed link element for the head of this page, if its address contains the state of a figure."""
        figures = {place["anchor"] for place in page.places.values()}
        has_state = any(key.partition(".")[0] in figures for key in self.request.query_arguments if "." in key)
        return oembed.discovery(page.slug, self.request.query, base_url()) if has_state else ""


class EmbedHandler(PageHandler):
    """Sends a page with one figure, for frames on other sites."""

    async def get(self, name: str = "") -> None:
        if name in RENAMES.simulations:
            self.move(RENAMES.simulations[name])
        else:
            await self.answer(f"{EMBED}{name}", depth=1)

    def shown(self, page: CachedPage) -> str:
        """The oEmbed link element of a figure; also sets the header that says which sites may frame it."""
        if page.slug == MISSING:
            return ""
        self.set_header("Content-Security-Policy", framed_policy())
        return oembed.discovery(page.slug, self.request.query, base_url())


class OembedHandler(CorsHandler, CompressedHandler):
    """oEmbed: what other sites show for a link to a figure, as JSON."""

    async def get(self) -> None:
        if self.get_argument("format", "json") != "json":
            raise HTTPError(501)
        site, embeds = base_url(), SITE.sources.embeds()
        link = oembed.read(self.get_argument("url", ""), site, embeds)
        page = await SITE.page(link.slug) if link else None
        if link is None or page is None or not page.places:
            raise HTTPError(404)
        place = FigurePlacement(**next(iter(page.places.values())))
        most = oembed.size(self.get_argument("maxwidth", "")), oembed.size(self.get_argument("maxheight", ""))
        answer = oembed.answer(link, embeds[link.slug][0], place, site, SITE.sources.title(), most)
        self.send(json.dumps(answer).encode(), "application/json; charset=utf-8", FOR_MINUTES)


class FallbackHandler(PageHandler):
    """Every other address: redirects a page's name with a trailing slash, and answers 404 to the rest."""

    async def get(self, path: str = "") -> None:
        if path.endswith("/") and path[:-1] in SITE.slugs():
            self.move(f"../{path[:-1]}")
        else:
            await self.answer(MISSING, path.count("/"))


class ApplicationHandler(CompressedHandler):
    """The address of the Bokeh application, which refuses to open a session: `/open` does that."""

    def initialize(self, **_context: Any) -> None:
        pass

    def get(self) -> None:
        answer = {"token": "", REFUSED: "Simulations are opened from the pages of this site."}
        self.send(json.dumps(answer).encode(), "application/json; charset=utf-8", SHORTLY)


class AssetHandler(CorsHandler, CompressedHandler):
    """Sends one of our static files; with the current version in its address it may be cached for a year."""

    def get(self, version: str | None, name: str) -> None:
        body = assets.ours(name)
        if body is None:
            raise HTTPError(404)
        suffix = f".{name.rpartition('.')[2]}"
        keep = FOR_A_YEAR if version == assets.version() else SHORTLY
        self.send(body, assets.TYPES[suffix], keep, suffix in assets.ZIPPED)


class ImageHandler(CompressedHandler):
    """Sends the still of a figure, or the card of a page."""

    def get(self, folder: str, name: str) -> None:
        path = CONTENT / folder / name
        if not path.is_file():
            raise HTTPError(404)
        keep = FOR_A_YEAR if self.get_argument("v", "") else FOR_MINUTES
        self.send(path.read_bytes(), f"image/{path.suffix[1:]}", keep, zip_it=False)


class IconHandler(CompressedHandler):
    """Sends the icon that browsers request by themselves; replaces Bokeh's own handler."""

    def initialize(self, app: object) -> None:
        del app

    def get(self) -> None:
        self.send(assets.ours("icons/favicon.ico") or b"", assets.TYPES[".ico"], FOR_MINUTES, zip_it=False)


class ShelfHandler(CorsHandler, CompressedHandler):
    """Sends a file from the shelf, where files are stored compressed."""

    async def get(self, key: str, name: str) -> None:
        body = await SITE.picture(key) if name == store.PICTURE else SITE.file(key, name)
        if not body and name == store.TABLES:
            self.send(b"null", "application/json; charset=utf-8", SHORTLY)  # the page then asks for each number
            return
        if not body:
            raise HTTPError(404)
        lasting = name not in (store.PICTURE, store.ATLAS)
        self.send_zipped(body, "application/json; charset=utf-8", FOR_A_YEAR if lasting else FOR_MINUTES)


class KernelHandler(CorsHandler, CompressedHandler):
    """Sends a file of the engines' kernels for browsers; the version in its address names its content."""

    def get(self, version: str, name: str) -> None:
        body = kernels.read(version, name)
        if body is None:
            raise HTTPError(404)
        self.send_zipped(body, KERNEL_TYPES[name.rpartition(".")[2]], FOR_A_YEAR)


class CalculateHandler(CompressedHandler):
    """Computes a worked example for the inputs of a reader, as JSON; only calculations declared on the page are run."""

    async def get(self) -> None:
        inputs = {name: values[-1].decode(errors="replace") for name, values in self.request.query_arguments.items()}
        slug, name = inputs.pop("page", ""), inputs.pop("example", "")
        data = (await SITE.page(slug)).examples.get(name) if slug in SITE.slugs() else None
        if data is None:
            self.set_status(404)
        answer = {"missing": "There is no such worked example."} if data is None else restored(data).answer(inputs)
        self.send(json.dumps(answer, allow_nan=False).encode(), "application/json; charset=utf-8", SHORTLY)


class ReferencesHandler(CompressedHandler):
    """Sends the references in a format of LaTeX or of reference managers."""

    def get(self, name: str) -> None:
        kind, body = reference_file(name)
        self.send(body, kind, FOR_MINUTES)


class QuizHandler(CompressedHandler):
    """Sends the questions of a page, or of all pages, for a learning platform."""

    async def get(self, name: str, ending: str) -> None:
        slugs = SITE.slugs() if name == quiz_names.WHOLE else [name.removeprefix(quiz_names.PREFIX)]
        if not set(slugs) <= set(SITE.slugs()):
            raise HTTPError(404)
        pages = [await SITE.page(slug) for slug in slugs]
        body = quiz_file(ending, [page.questions for page in pages], SITE.sources.title(), base_url())
        if not body:
            raise HTTPError(404)
        self.send(body, FORMATS[ending][0], FOR_MINUTES, zip_it=ending != "qti.zip")


class CodeHandler(CompressedHandler):
    """Sends a Python file: a problem set, a lab, what marks them, or the X-ray, whose findings link to this site."""

    def get(self, name: str) -> None:
        self.send(code_file(name, base_url()).encode(), "text/x-python; charset=utf-8", FOR_MINUTES)


class SearchHandler(CompressedHandler):
    """Sends the search index for the browser."""

    async def get(self) -> None:
        self.send(await SITE.index(), "application/json; charset=utf-8", FOR_MINUTES)


class RobotsHandler(CompressedHandler):
    """Sends `robots.txt`: crawlers may read pages, and not open sessions or rooms."""

    def get(self) -> None:
        self.send(robots(base_url()).encode(), "text/plain; charset=utf-8", FOR_MINUTES)


class SitemapHandler(CompressedHandler):
    """Sends the sitemap, if the site's address is known."""

    def get(self) -> None:
        if not base_url():
            raise HTTPError(404)
        slugs = [*SITE.slugs(), *SITE.sources.beside()]
        self.send(sitemap(slugs, base_url()).encode(), "application/xml; charset=utf-8", FOR_MINUTES)


class FeedHandler(CompressedHandler):
    """Sends the changelog as an Atom feed."""

    def get(self) -> None:
        body = with_base_url(changelog.feed(SITE.sources.title()), base_url())
        self.send(body.encode(), "application/atom+xml; charset=utf-8", FOR_MINUTES)


ROUTES: list[tuple[str, Any]] = [
    (r"/", PageHandler),
    (r"/robots\.txt", RobotsHandler),
    (r"/sitemap\.xml", SitemapHandler),
    (r"/open", CreateSessionHandler),
    (r"/shelf/([0-9a-f]{16})/([a-z]+(?:-[0-9a-z-]+)?)\.json", ShelfHandler),
    (r"/kernels/([0-9a-f-]+)/([a-z_-]+\.(?:bin|json|txt|wasm))", KernelHandler),
    (r"/calculate", CalculateHandler),
    (r"/(stills)/([\w-]+\.[\w-]+(?:\.unanswered)?(?:\.phone)?\.(?:light|dark)\.webp)", ImageHandler),
    (r"/(cards)/([\w-]+\.png)", ImageHandler),
    (r"/feed\.xml", FeedHandler),
    (rf"/{re.escape(search_index.NAME)}", SearchHandler),
    (rf"/({'|'.join(map(re.escape, REFERENCE_FILES))})", ReferencesHandler),
    (rf"/{quiz_names.FILE.pattern}", QuizHandler),
    (rf"/({'|'.join(map(re.escape, CODE_FILES))})", CodeHandler),
    *room_routes.ROUTES,
    (rf"/{EMBED}([\w.-]+)", EmbedHandler),
    (r"/oembed", OembedHandler),
    (r"/assets/(?:(v[0-9a-f]{10})/)?([\w./-]+)", AssetHandler),
    (r"/([\w.-]+)", PageHandler),
    (r"/(.*)", FallbackHandler),
]
