"""The server's answers without a simulation, and what every page of the site must keep to."""

import ast
import asyncio
import gzip
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application

from app.pages.data.changelog import releases
from app.pages.data.renames import Renames
from app.pages.data.site_url import with_base_url
from app.pages.exports.quiz import YES_NO, Item
from app.pages.files import assets, quiz_names, stills
from app.pages.files.sources import FILES, HOME
from app.pages.output.cached_page import CachedPage
from app.server import handlers
from app.server.builders.site import SITE
from app.server.handlers import ROUTES
from sims.engines.wasm.starting import starting
from sims.kept import browser_kernels
from sims.kept.whole_file import write_whole
from tests.site import CHAPTERS, SLUGS, SOURCES, html_of, site
from tests.tiers import first

BUDGET = 60_000
"""Bytes of a page with its style sheet, compressed."""
FONTS = 150_000

Fetch = Callable[..., HTTPResponse]


CODE_HEAD = f"# MIT License, © The Skip Connections authors, One plus sign {releases()[0].version}\n".encode()


@pytest.fixture(scope="module")
def fetch() -> Iterator[Fetch]:
    """Ask a server that has our routes and nothing else."""
    loop = asyncio.new_event_loop()

    async def start() -> tuple[HTTPServer, int]:
        server = HTTPServer(Application(ROUTES, log_function=lambda handler: None))
        socket, port = bind_unused_port()
        server.add_socket(socket)
        SITE.start()
        return server, port

    server, port = loop.run_until_complete(start())

    def ask(path: str, **options: object) -> HTTPResponse:
        async def answer() -> HTTPResponse:
            options.setdefault("decompress_response", False)
            options.setdefault("request_timeout", LONG)
            return await AsyncHTTPClient().fetch(f"http://127.0.0.1:{port}{path}", raise_error=False, **options)

        return loop.run_until_complete(answer())

    yield ask

    async def stop() -> None:
        server.stop()
        await server.close_all_connections()
        AsyncHTTPClient().close()
        SITE.end()
        if SITE.build.running:
            await SITE.build._task

    loop.run_until_complete(stop())
    loop.close()


class Outline(HTMLParser):
    """Ids, references, headings and forbidden things of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.files: list[str] = []
        self.headings: list[int] = []
        self.inline: list[str] = []
        self.landmarks: list[str] = []
        self.labels: set[str] = set()
        self.described: set[str] = set()
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        elif "href" in values or "src" in values:
            self.files.append(values.get("href") or values["src"])
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if tag in ("main", "header", "footer", "nav"):
            self.landmarks.append(tag)
        # Data in a script element run nowhere, and no policy holds them back.
        self._script = tag == "script" and "src" not in values and values.get("type") != "application/ld+json"
        self.inline += [name for name in values if name.startswith("on")]
        if "for" in values:
            self.labels.add(values["for"])
        self.described |= {values[name] for name in ("aria-labelledby", "data-card") if name in values}

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.inline.append(data)


@pytest.fixture(scope="module")
def outlines() -> dict[str, Outline]:
    return {slug: Outline(with_base_url(html_of(slug), "")) for slug in (*SLUGS, *BESIDE, *SOURCES.listings())}


BESIDE = SOURCES.beside()


# -- the pages ------------------------------------------------------------------------------------------------------


def test_the_home_page_comes_first_and_every_chapter_has_a_page() -> None:
    assert SLUGS[0] == HOME
    assert {*CHAPTERS} < {*SLUGS}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_page_is_sound(slug: str, outlines: dict[str, Outline]) -> None:
    assert_sound(outlines[slug])


def test_the_pages_beside_are_sound(outlines: dict[str, Outline]) -> None:
    for slug in BESIDE:
        assert_sound(outlines[slug])


def assert_sound(outline: Outline) -> None:
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.labels | outline.described <= set(outline.ids)
    assert outline.inline == []
    assert outline.landmarks.count("main") == 1
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(outline.headings))


@pytest.mark.parametrize("slug", first(5, [*SLUGS, BESIDE[0], BESIDE[-1]]))
def test_every_link_within_the_site_arrives(slug: str, outlines: dict[str, Outline]) -> None:
    for link in outlines[slug].links:
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme == "https"
            continue
        target = {"": slug, "./": HOME}.get(parts.path, parts.path)
        if target in (*FILES, "feed.xml", *SOURCES.decks()) or quiz_names.FILE.fullmatch(target):
            continue
        assert target in outlines, link
        assert not parts.fragment or parts.fragment in outlines[target].ids, link


@pytest.mark.parametrize("slug", SLUGS)
def test_everything_loads_from_here_and_under_any_prefix(slug: str, outlines: dict[str, Outline]) -> None:
    for file in outlines[slug].files:
        parts = urlsplit(file)
        assert not parts.scheme
        assert not parts.netloc
        assert not file.startswith("/")


@pytest.mark.parametrize("slug", SLUGS)
def test_no_page_requests_the_drawing_script_before_its_text(slug: str, outlines: dict[str, Outline]) -> None:
    assert not any("bokeh" in file or "simulation" in file for file in outlines[slug].files)


@pytest.mark.parametrize("slug", ["home", "degradation", "shortcut"])
def test_a_page_stays_within_its_budget(slug: str) -> None:
    style = assets.ours(assets.STYLE)
    assert style is not None
    assert len(assets.zipped(html_of(slug).encode())) + len(assets.zipped(style)) <= BUDGET


def test_the_fonts_stay_within_their_budget_and_carry_their_license() -> None:
    fonts = assets.FOLDER / "style" / "fonts"
    assert sum(path.stat().st_size for path in fonts.glob("*.woff2")) <= FONTS
    assert "SIL OPEN FONT LICENSE" in (fonts / "OFL.txt").read_text().upper()


def test_a_chapter_leads_to_its_neighbors(outlines: dict[str, Outline]) -> None:
    for before, after in pairwise(CHAPTERS):
        assert outlines[before].links.count(after) >= 2
        assert outlines[after].links.count(before) >= 2


def test_the_home_page_names_every_chapter_and_route() -> None:
    html = html_of("home")
    meta = site().meta["home"]
    assert all(f'href="{slug}"' in html for slug in CHAPTERS)
    assert all(route["name"] in html for route in meta["routes"])
    assert all(f'href="{stop}"' in html for route in meta["routes"] for stop in route["pages"])
    assert "planned" not in html


# -- the server -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unanswered", [False, True])
@pytest.mark.parametrize("phone", [False, True])
def test_every_kind_of_still_has_a_route(unanswered: bool, phone: bool) -> None:
    address = f"/stills/{stills.name('two-words', 'a_figure', 'dark', unanswered=unanswered, phone=phone)}"
    taken = [handler for route, handler, *_options in ROUTES if re.fullmatch(route, address)]
    assert taken[0] is handlers.ImageHandler


@pytest.mark.parametrize(
    "path", ["/", "/claim-A-04", "/degradation", "/degradation?degradation.depth=8&v=2", "/glossary"]
)
def test_a_page_is_answered_with_its_headers(path: str, fetch: Fetch) -> None:
    answer = fetch(path, headers={"Accept-Encoding": "gzip"})
    assert answer.code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert gzip.decompress(answer.body).startswith(b"<!doctype html>")
    (scripts,) = [
        part for part in answer.headers["Content-Security-Policy"].split("; ") if part.startswith("script-src")
    ]
    assert scripts == "script-src 'self' blob: 'wasm-unsafe-eval'"
    assert fetch(path).body.startswith(b"<!doctype html>")


def test_an_unchanged_page_is_not_sent_again(fetch: Fetch) -> None:
    first = fetch("/shortcut")
    again = fetch("/shortcut", headers={"If-None-Match": first.headers["Etag"]})
    assert (again.code, again.body) == (304, b"")


def test_a_head_request_gets_no_body(fetch: Fetch) -> None:
    answer = fetch("/shortcut", method="HEAD")
    assert (answer.code, answer.body) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/claim-Z-99",
        "/home",
        "/app.js",
        "/..",
        "/degradation%00",
        "/a/b",
        "/a/b/",
        "/nowhere/",
        "//evil.example/",
        "/app/x",
    ],
)
def test_a_missing_page_is_friendly(path: str, fetch: Fetch) -> None:
    answer = fetch(path, follow_redirects=False)
    assert answer.code == 404
    assert b"No such page" in answer.body
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_missing_page_finds_its_files_from_below(fetch: Fetch) -> None:
    files = [path for path in Outline(fetch("/a/b/c").body.decode()).files if "assets/" in path]
    assert files
    for file in files:
        answer = fetch(urljoin("/a/b/c", file))
        assert answer.code == 200, file


def test_a_page_with_a_slash_is_sent_to_its_address(fetch: Fetch) -> None:
    answer = fetch("/degradation/?degradation.depth=8", follow_redirects=False)
    assert (answer.code, answer.headers["Location"]) == (301, "../degradation?degradation.depth=8")


def test_what_is_no_file_is_said_in_a_word(fetch: Fetch) -> None:
    answer = fetch("/assets/nothing.css")
    assert (answer.code, answer.body) == (404, b"404 Not Found\n")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def sends(page: CachedPage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site have this page at every address."""

    async def read_page(slug: str) -> CachedPage:
        return page

    monkeypatch.setattr(SITE, "page", read_page)


def test_a_wrong_page_says_where_it_is_wrong(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    sends(CachedPage("home", error="content/home.md:12: no such term"), monkeypatch)
    answer = fetch("/")
    assert answer.code == 500
    assert b"content/home.md:12: no such term" in answer.body


@pytest.mark.parametrize("pending", [False, True])
def test_a_page_that_waits_for_numbers_is_not_kept(
    pending: bool, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = CachedPage("shortcut", "<!doctype html>", numbers={"a.b()": None if pending else 1.0})
    sends(page, monkeypatch)
    assert ("max-age" in fetch("/shortcut").headers["Cache-Control"]) == (not pending)


def test_files_are_kept_for_a_year_under_their_version_only(fetch: Fetch, outlines: dict[str, Outline]) -> None:
    for file in outlines["home"].files:
        if file.startswith("assets/"):
            answer = fetch(f"/{file}")
            assert answer.code == 200, file
            assert "immutable" in answer.headers["Cache-Control"]
    assert fetch("/assets/style.css").headers["Cache-Control"] == "no-cache"
    assert fetch("/assets/v0000000000/style.css").headers["Cache-Control"] == "no-cache"


def test_the_style_sheet_is_one_file_with_the_palette(fetch: Fetch) -> None:
    body = fetch(f"/assets/{assets.version()}/style.css").body.decode()
    assert "--residual:" in body
    folder = assets.FOLDER / "style"
    sheets = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.css")}
    assert sheets == {*assets.SHEETS}


@pytest.mark.parametrize(
    "path", ["/assets/nothing.css", "/assets/../theme.py", "/assets/%2e%2e/theme.py", "/static/js/../../server.py"]
)
def test_no_other_file_is_sent(path: str, fetch: Fetch) -> None:
    assert fetch(path).code == 404


def test_what_draws_is_compressed_and_kept(fetch: Fetch) -> None:
    answer = fetch(f"/assets/{assets.version()}/{assets.SCRIPT}", headers={"Accept-Encoding": "gzip"})
    assert answer.code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert len(answer.body) < len(gzip.decompress(answer.body)) / 3


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address that the site has meanwhile."""
    address = "https://example.org/skip/"
    monkeypatch.setenv("SKIP_ADDRESS", address)
    return address


def test_crawlers_find_the_pages_and_leave_the_simulations(fetch: Fetch, published: str) -> None:
    assert b"Disallow: /app" in fetch("/robots.txt").body
    sitemap = fetch("/sitemap.xml").body.decode()
    assert all(f"<loc>{published}{slug}</loc>" in sitemap for slug in (*CHAPTERS, *BESIDE))


def test_a_page_is_where_the_site_is_published_whoever_asks(fetch: Fetch, published: str) -> None:
    html = fetch("/arena", headers={"Host": "elsewhere.example"}).body.decode()
    assert f'<link rel="canonical" href="{published}arena">' in html
    assert "elsewhere.example" not in html


def test_a_site_without_an_address_does_not_mention_one(fetch: Fetch) -> None:
    html = fetch("/arena", headers={"Host": "elsewhere.example"}).body.decode()
    assert "canonical" not in html
    assert "elsewhere.example" not in html
    assert fetch("/sitemap.xml").code == 404


def test_the_feed_and_the_images_of_links_are_there(fetch: Fetch) -> None:
    for path, kind in {
        "/feed.xml": "application/atom+xml; charset=utf-8",
        "/cards/home.png": "image/png",
    }.items():
        answer = fetch(path)
        assert (answer.code, answer.headers["Content-Type"]) == (200, kind)
        assert answer.body
    assert fetch("/cards/nothing.png").code == 404


LONG = 300
"""Seconds that a test waits for what takes long on a busy machine"""

SEARCHED = 150_000
"""Bytes of what is searched in and of what searches, compressed; nobody gets them who does not search."""


def test_what_is_searched_in_is_one_small_file_that_no_page_brings(fetch: Fetch, outlines: dict[str, Outline]) -> None:
    answer = fetch("/search.json", headers={"Accept-Encoding": "gzip"}, request_timeout=LONG)  # every page is made
    assert (answer.code, answer.headers["Content-Type"]) == (200, "application/json; charset=utf-8")
    library = assets.ours("search/minisearch/index.js") or b""
    assert len(answer.body) + len(assets.zipped(library)) <= SEARCHED
    pages = {entry["page"] for entry in json.loads(gzip.decompress(answer.body))}
    assert pages == set(SLUGS)
    assert not any("search" in file for outline in outlines.values() for file in outline.files)
    again = fetch("/search.json", headers={"Accept-Encoding": "gzip", "If-None-Match": answer.headers["Etag"]})
    assert (again.code, again.body) == (304, b"")


def test_the_library_that_searches_carries_its_license() -> None:
    assert "Permission is hereby granted" in (assets.FOLDER / "search" / "minisearch" / "LICENSE.txt").read_text()


def test_a_worked_example_is_computed_anew(fetch: Fetch) -> None:
    answer = fetch("/calculate?page=degradation&example=w-default&layers=3")
    assert answer.code == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert json.loads(answer.body) == {
        "values": {"layers": "3"},
        "notes": [],
        "numbers": ["6.8&nbsp;×&nbsp;10<sup>−2</sup>"],
    }


def test_numbers_that_have_not_been_made_ahead_are_said_to_be_none(fetch: Fetch) -> None:
    answer = fetch(f"/shelf/{16 * '0'}/tables.json")
    assert (answer.code, json.loads(answer.body)) == (200, None)
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "page=nowhere&example=w-copy",
        "page=degradation",
        "page=degradation&example=p-curve",
        "page=../x&example=y",
        "page=claims&example=w-copy",
        "example=w-copy",
        "page=degradation&example=%00%ff",
    ],
)
def test_what_is_no_worked_example_is_not_found(query: str, fetch: Fetch) -> None:
    answer = fetch(f"/calculate?{query}")
    assert (answer.code, json.loads(answer.body)) == (404, {"missing": "There is no such worked example."})


@pytest.mark.parametrize(
    "query",
    [
        "layers=NaN",
        "layers=1e999",
        "layers=<script>",
        "layers=%ff%00",
        "layers=1&layers=x",
        "depth=4",
        "layers=" + 9000 * "9",
        "&".join(f"x{index}=1" for index in range(500)),
    ],
)
def test_hostile_inputs_get_the_first_numbers_and_a_note(query: str, fetch: Fetch) -> None:
    answer = fetch(f"/calculate?page=degradation&example=w-default&{query}")
    payload = json.loads(answer.body)
    assert (answer.code, payload["values"], len(payload["notes"])) == (200, {"layers": "54"}, 1)
    assert len(answer.body) < 1000


def test_a_query_without_end_is_refused_and_the_server_goes_on(fetch: Fetch) -> None:
    with suppress(ConnectionError):
        assert fetch(f"/calculate?page=degradation&example=w-default&layers={'9' * 200_000}").code >= 400
    assert fetch("/calculate?page=degradation&example=w-default").code == 200


def test_the_references_can_be_taken_along(fetch: Fetch) -> None:
    assert b"@inproceedings{he2015," in fetch("/references.bib").body


@pytest.mark.parametrize(
    ("path", "kind", "begins"),
    [
        ("/references.ris", "application/x-research-info-systems; charset=utf-8", b"TY  - CPAPER\nID  - he2015\n"),
        ("/references.json", "application/vnd.citationstyles.csl+json; charset=utf-8", b'[\n {\n  "id": "he2015"'),
        ("/problem_set.py", "text/x-python; charset=utf-8", CODE_HEAD + b'"""Skip connections in PyTorch'),
        ("/mark_problems.py", "text/x-python; charset=utf-8", CODE_HEAD + b'"""Grades the problem set'),
        ("/bug_lab.py", "text/x-python; charset=utf-8", CODE_HEAD + b'"""Find the bug'),
        ("/mark_bugs.py", "text/x-python; charset=utf-8", CODE_HEAD + b'"""Grades the lab'),
        ("/xray.py", "text/x-python; charset=utf-8", CODE_HEAD + b'"""X-ray of a PyTorch network'),
    ],
)
def test_files_can_be_taken_along(path: str, kind: str, begins: bytes, fetch: Fetch) -> None:
    answer = fetch(path)
    assert (answer.code, answer.headers["Content-Type"]) == (200, kind)
    assert answer.body.startswith(begins)


def test_the_questions_of_a_page_can_be_taken_along(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    question = asdict(Item("degradation.q1", "Chapter 0", YES_NO, "Does it?", "It does.", answer=1.0))

    async def page(slug: str) -> CachedPage:
        return CachedPage(slug, questions=[question] if slug == "degradation" else [])

    monkeypatch.setattr(SITE, "page", page)
    for name in ("quiz-degradation", "quizzes"):
        xml, package = fetch(f"/{name}.moodle.xml"), fetch(f"/{name}.qti.zip")
        assert b"<idnumber>degradation.q1</idnumber>" in xml.body
        assert (package.headers["Content-Type"], package.body[:2]) == ("application/zip", b"PK")
    for path in ("/quiz-claims.moodle.xml", "/quiz-nothing.qti.zip"):
        assert fetch(path).code == 404


def test_code_names_the_address_where_there_is_one(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", "https://example.org/skip")
    head, rest = fetch("/xray.py").body.split(b"\n", 1)
    assert head == CODE_HEAD.strip() + b", https://example.org/skip/"
    assert ast.get_docstring(ast.parse(rest)) == ast.get_docstring(ast.parse(head + b"\n" + rest))


# -- kernels for browsers -------------------------------------------------------------------------------------------


def test_kernels_are_sent_for_good_and_compressed(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert fetch("/nothing").code == 404  # its page is kept in memory from here on, whatever the cache is
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    write_whole(browser_kernels.folder("0a1b-2") / "language-plain.wasm.gz", gzip.compress(b"\0asm"))
    answer = fetch("/kernels/0a1b-2/language-plain.wasm", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Type"] == "application/wasm"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(answer.body) == b"\0asm"
    assert fetch("/kernels/0a1b-2/language-plain.wasm").body == b"\0asm"
    for missing in ("0a1b-2/language-fused.wasm", "0a1b-3/language-plain.wasm", "0a1b-2/language-plain.py"):
        assert fetch(f"/kernels/{missing}").code == 404


def test_every_file_that_a_browser_needs_to_start_a_run_is_sent(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    for name, content in starting().items():
        write_whole(browser_kernels.folder("0a1b-2") / f"{name}.gz", gzip.compress(content))
        assert fetch(f"/kernels/0a1b-2/{name}").body == content


# -- figures for other sites ----------------------------------------------------------------------------------------


def test_a_figure_alone_may_be_framed_by_any_site_and_its_page_by_none(fetch: Fetch) -> None:
    alone = fetch("/embed/published").headers["Content-Security-Policy"]
    assert "frame-ancestors" not in alone
    assert "script-src 'self' blob: 'wasm-unsafe-eval';" in alone
    assert fetch("/degradation").headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")


def test_the_sites_that_may_frame_are_a_setting(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_FRAMED_BY", "https://lms.example.org, *.example.edu")
    policy = fetch("/embed/published").headers["Content-Security-Policy"]
    assert policy.endswith("; frame-ancestors 'self' https://lms.example.org *.example.edu")


@pytest.mark.parametrize("path", ["/embed/nothing", "/embed/degradation.html", "/embed/home.nothing", "/embed/%00"])
def test_a_figure_that_is_not_there_is_missing_and_nobody_frames_that(path: str, fetch: Fetch) -> None:
    answer = fetch(path)
    assert (answer.code, b"No such page" in answer.body) == (404, True)
    assert answer.headers["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert b'href="../assets/' in answer.body


def test_what_a_sandboxed_frame_needs_it_may_read_and_pages_it_may_not(fetch: Fetch) -> None:
    for path in (
        f"/assets/{assets.version()}/page/embed/embed.js",
        "/assets/none.css",
        f"/shelf/{16 * '0'}/picture.json",
    ):
        assert fetch(path).headers["Access-Control-Allow-Origin"] == "*"
    for path in ("/degradation", "/embed/published", "/calculate?page=degradation", "/search.json"):
        assert "Access-Control-Allow-Origin" not in fetch(path, request_timeout=LONG).headers


def test_a_link_to_a_figure_is_answered_as_oembed(fetch: Fetch, published: str) -> None:
    url = quote(f"{published}experiment?published.depth=56#published", safe="")
    answer = fetch(f"/oembed?url={url}&maxwidth=500")
    assert (answer.code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    payload = json.loads(answer.body)
    assert (payload["type"], payload["width"], payload["provider_name"]) == ("rich", 500, "One plus sign")
    assert f'src="{published}embed/published' in payload["html"]
    assert fetch(f"/oembed?url={url}&format=xml").code == 501
    assert fetch("/oembed").code == 404
    assert fetch("/oembed?url=https://evil.example/embed/published").code == 404


def test_nobody_is_answered_by_a_site_that_does_not_know_where_it_is(fetch: Fetch) -> None:
    assert fetch("/oembed?url=https://example.org/skip/embed/published").code == 404


def test_a_page_that_names_a_state_says_where_its_oembed_is(fetch: Fetch, published: str) -> None:
    def linked(path: str) -> bool:
        return f'type="application/json+oembed" href="{published}oembed?'.encode() in fetch(path).body

    assert linked("/degradation?degradation.depth=8&v=2")
    assert linked("/embed/published")
    assert not linked("/degradation?present=degradation")
    assert not linked("/embed/nothing")
    assert b"<script>alert" not in fetch("/degradation?degradation.depth=%22%3E%3Cscript%3Ealert(1)").body


def test_a_page_that_was_renamed_is_found_with_its_state(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "RENAMES", Renames(pages={"old": "arena"}, simulations={"older": "degradation"}))
    for path, moved in {"/old?a.b=1": "arena?a.b=1", "/embed/older?depth=8": "degradation?depth=8"}.items():
        answer = fetch(path, follow_redirects=False)
        assert (answer.code, answer.headers["Location"]) == (301, moved)
