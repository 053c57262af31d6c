"""`python -m tools.static_site FOLDER`: writes the whole site as static files that any host can serve.

Reading, predictions, quizzes, editing the numbers of worked examples, scrubbing through precomputed states, embedded
figures and downloads work. Where a server would be needed, the page says where to find one: at the address in
`SKIP_LIVE`, or one that the reader starts.
"""

import gzip
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path

from app import settings
from app.pages.data import changelog
from app.pages.data.feedback import with_feedback
from app.pages.data.renames import RENAMES
from app.pages.data.site_url import MARK, base_url, from_folder, live_url, with_base_url
from app.pages.exports.citations import REFERENCE_FILES, reference_file
from app.pages.exports.code_files import CODE_FILES, code_file
from app.pages.exports.quiz_files import quiz_file
from app.pages.files import assets, quiz_names
from app.pages.files.sources import EMBED, HOME, LISTING, MISSING, SLIDES, Sources
from app.pages.output import search_index
from app.pages.output.cached_page import CachedPage, load
from app.pages.text.templating import fill
from app.prerender import store
from app.server.http.crawlers import robots, sitemap
from sims.kept import browser_kernels as kernels
from sims.paths import CONTENT

HOME_FILE = "index.html"

FIRST = f"{store.NUMBERS}{store.FIRST}."
"""Beginning of the name of the file with the downloads of the state that a page shows first"""

OFFLINE_SCRIPT = "offline.js"
"""The script that keeps a site in a browser; its text holds the version of the site"""

OFFLINE_LIST = "offline.json"
"""The list of the files that it keeps"""


def still_links(html: str, slugs: Iterable[str], live: str) -> str:
    """Return a page with links to files, marked as having no server."""
    names = "|".join(map(re.escape, slugs))
    html = re.sub(rf'({re.escape(MARK)}(?:{names}))(?=["?#])', r"\1.html", html)
    html = re.sub(rf'data-embed="({names})"', r'data-embed="\1.html"', html)
    html = re.sub(rf'href="({names})(?=["?#])', r'href="\1.html', html)
    html = re.sub(r'href="\./(?=["?#])', f'href="{HOME_FILE}', html)
    return html.replace('<html lang="en"', f'<html lang="en" data-static data-live="{escape(live)}"', 1)


def still_figure(data: bytes, slugs: Iterable[str]) -> bytes:
    """Return a prepared figure's JSON with links to files in the HTML that it holds, escaped for Bokeh or not."""
    names = "|".join(map(re.escape, slugs))
    quote = r'(?:&quot;|\\")'
    return re.sub(rf"(href={quote}(?:{names}))(?={quote}|[?#])".encode(), rb"\1.html", data)


def essential(data: bytes) -> bytes:
    """Return the downloads of a state without those that a page writes itself from the JSON file, and without the
    archive of arrays."""
    replies = json.loads(data)
    if "json" not in replies:
        return data
    return json.dumps({"json": replies["json"]}, separators=(",", ":")).encode()


def write(folder: Path, pages: Iterable[CachedPage], live: str) -> None:
    """Write pages and everything that they request, in place of an earlier copy. Raises OSError if the folder cannot be
    written."""
    pages = list(pages)
    slugs = [page.slug for page in pages]
    for earlier in ("assets", "kernels", "shelf"):  # their files have other names in every version
        shutil.rmtree(folder / earlier, ignore_errors=True)
    for earlier in (OFFLINE_SCRIPT, OFFLINE_LIST):  # they are not among the files that they keep
        (folder / earlier).unlink(missing_ok=True)
    for page in pages:
        name = HOME_FILE if page.slug == HOME else f"{page.slug}.html"
        html = with_base_url(still_links(page.html, slugs, live), base_url())
        # A host sends the page for missing addresses in whichever folder they are.
        html = from_folder(html, base_url()) if page.slug == MISSING else html
        _put(folder / name, with_feedback(html).encode())
        for key in (*page.places, *page.tables.values()):
            for path in sorted(store.folder(key).glob("*.json.gz")):
                if not path.name.startswith(store.STATE):
                    data = still_figure(gzip.decompress(path.read_bytes()), slugs)
                    if path.name.startswith(store.NUMBERS) and not path.name.startswith(FIRST):
                        data = essential(data)
                    _put(
                        folder / "shelf" / key / f"{path.name.removesuffix('.gz')}.packed", gzip.compress(data, mtime=0)
                    )
    for path in sorted(assets.FOLDER.rglob("*")):
        name = path.relative_to(assets.FOLDER).as_posix()
        body = assets.ours(name) if path.is_file() else None
        if body is not None:
            _put(folder / "assets" / assets.version() / name, body)
    for name in (assets.STYLE, assets.SCRIPT):
        _put(folder / "assets" / assets.version() / name, assets.ours(name) or b"")
    for path in (*sorted((CONTENT / "stills").glob("*.webp")), *sorted((CONTENT / "cards").glob("*.png"))):
        _put(folder / path.parent.name / path.name, path.read_bytes())
    for old, new in RENAMES.pages.items():
        _put(folder / f"{old}.html", _moved(new, ""))
    for old, new in RENAMES.simulations.items():
        _put(folder / f"{EMBED}{old}.html", _moved(new, "../"))
    version = kernels.key()
    for path in sorted(kernels.folder(version).glob("*.gz")):
        _put(folder / "kernels" / version / path.stem, gzip.decompress(path.read_bytes()))
    _put(folder / "favicon.ico", assets.ours("icons/favicon.ico") or b"")
    title = Sources().title()
    _put(folder / "feed.xml", with_base_url(changelog.feed(title), base_url()).encode())
    _put(folder / search_index.NAME, search_index.index(pages))
    _put(folder / "robots.txt", robots(base_url()).encode())
    if base_url():
        listed = [slug for slug in slugs if slug != MISSING and not slug.startswith((LISTING, SLIDES, EMBED))]
        _put(folder / "sitemap.xml", sitemap(listed, base_url(), ".html").encode())
    for name in REFERENCE_FILES:
        _put(folder / name, reference_file(name)[1])
    for name in CODE_FILES:
        _put(folder / name, code_file(name, base_url()).encode())
    questions = {quiz_names.of_page(page.slug): [page.questions] for page in pages if page.questions}
    for name, lists in {**questions, quiz_names.WHOLE: [page.questions for page in pages]}.items():
        for ending in quiz_names.FORMATS:
            if body := quiz_file(ending, lists, title, base_url(), ".html"):
                _put(folder / f"{name}.{ending}", body)
    if settings.offline():
        keepable(folder)


def keepable(folder: Path) -> None:
    """Let readers keep a written site in their browsers: add the list of its files and the script that keeps them, and
    mark every page with the site's size in MB."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in paths)).hexdigest()[:16]
    size = sum(path.stat().st_size for path in paths) / 1e6
    for path in paths:
        if path.suffix == ".html":
            html = path.read_text(encoding="utf-8")
            path.write_text(
                html.replace(" data-static ", f' data-static data-offline="{size:.0f}" ', 1), encoding="utf-8"
            )
    names = [path.relative_to(folder).as_posix() for path in paths]
    _put(folder / OFFLINE_LIST, json.dumps({"files": names}).encode())
    script = (assets.ours("page/offline/worker.js") or b"").replace(b"'VERSION'", f"'{digest}'".encode())
    _put(folder / OFFLINE_SCRIPT, script)


def _moved(name: str, root: str) -> bytes:
    """Return a page for a former address, which leads to the new one; `root` is the path to the site's folder."""
    return str(fill("layout/moved", name=f"{name}.html", root=root, assets=f"assets/{assets.version()}")).encode()


def _put(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def wrong(pages: Iterable[CachedPage]) -> list[str]:
    """What the pages lack, a line each."""
    lines = []
    for page in pages:
        wanted = [(key, store.PICTURE) for key in page.places] + [(key, store.TABLES) for key in page.tables.values()]
        lines += [f"{page.slug}: {page.error}"] if page.error else []
        lines += [f"{page.slug}: no {name} {key}" for key, name in wanted if not store.file(key, name).is_file()]
    return lines


def main() -> None:
    """Write the site; fails where a page or a picture is not built, or an address is invalid."""
    folder, sources = Path(sys.argv[1]), Sources()
    try:
        base_url()
        live = live_url()
    except ValueError as error:
        sys.exit(str(error))
    version = sources.version()
    pages = [load(version, slug) or CachedPage(slug, error="not built") for slug in sources.names()]
    lines = wrong(pages)
    if not kernels.complete(kernels.key()):
        lines.append("no kernels for browsers")
    if lines:
        sys.exit("\n".join([*lines, "`make build` builds what is missing."]))
    write(folder, pages, live)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{len(pages)} pages in {folder}, {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
