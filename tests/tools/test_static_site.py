"""The site as files: every link names one, every picture is there, and the page says that it stands alone."""

import gzip
import json
import re
from dataclasses import asdict
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest

from app.pages.data.renames import Renames
from app.pages.data.site_url import MARK
from app.pages.exports.quiz import YES_NO, Item
from app.pages.files.sources import MISSING, Sources
from app.pages.output.cached_page import CachedPage, save
from app.prerender import store
from app.views.design_choices.which_block import WhichBlockView
from sims.kept import browser_kernels
from sims.kept.whole_file import write_whole
from sims.simulations.design_choices.which_block import WhichBlock
from tools import static_site
from tools.static_site import still_links, write

HTML = (
    '<html lang="en">\n<a href="./">home</a> <a href="arena#x">a</a> <a href="arena">b</a> '
    '<a href="arena?p=1">c</a> <a href="https://arxiv.org/arena">d</a> <a href="assets/v1/style.css">e</a></html>'
)
ELSEWHERE = "https://arxiv.org/arena#x"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_CACHE", str(tmp_path / "cache"))


def unpacked(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def test_links_name_files_and_others_stay() -> None:
    result = still_links(HTML, ["arena"], "https://live.example")
    for link in ('"index.html"', '"arena.html#x"', '"arena.html"', '"arena.html?p=1"', '"https://arxiv.org/arena"'):
        assert f"href={link}" in result
    assert 'href="assets/v1/style.css"' in result
    assert '<html lang="en" data-static data-live="https://live.example">' in result


def test_addresses_name_files_too() -> None:
    html = f'<link href="{MARK}"><link href="{MARK}arena"><link href="{MARK}cards/arena.png?v=1">'
    assert still_links(html, ["arena"], "") == html.replace(f'{MARK}arena"', f'{MARK}arena.html"')


def test_links_in_a_figure_name_files_too(tmp_path: Path) -> None:
    table = f'<a href="arena#x">a</a> <a href="arenas">b</a> <a href="{ELSEWHERE}">c</a>'
    key = "0123456789abcdef"
    store.write(key, store.PICTURE, {"text": escape(table), "note": '<a href="arena?p=1">c</a> <a href="arena">d</a>'})
    place = {"anchor": "paths", "name": "paths", "settings": {}}
    write(tmp_path, [CachedPage("arena", HTML, places={key: place})], "")
    picture = unpacked(tmp_path / "shelf" / key / "picture.json.packed")
    assert unescape(picture["text"]) == table.replace('"arena#x', '"arena.html#x')
    assert picture["note"] == '<a href="arena.html?p=1">c</a> <a href="arena.html">d</a>'


def test_the_sources_of_a_recipe_name_files() -> None:
    simulation = WhichBlock()
    view = WhichBlockView(simulation)
    view.draw()
    view.update(simulation.compute())
    data = json.dumps(view._table.text).encode()
    html = unescape(json.loads(static_site.still_figure(data, Sources().slugs())))
    links = re.findall(r'href="([^"]*)"', html)
    own = [link for link in links if not link.startswith("http")]
    assert own
    assert all(re.match(r"[a-z0-9-]+\.html([?#]|$)", link) for link in own)


def test_everything_that_a_page_requests_is_written(tmp_path: Path) -> None:
    key = "0123456789abcdef"
    for name in (store.PICTURE, store.ATLAS, f"{store.NUMBERS}first", f"{store.STATE}0-1"):
        store.write(key, name, {"name": name})
    store.write("example", store.TABLES, {"steps": {}, "numbers": []})
    place = {"anchor": "paths", "name": "paths", "settings": {}}
    edited = {"w-one": {"table": "example"}}
    question = asdict(Item("arena.q1", "Arena", YES_NO, "Does it?", "It does.", answer=1.0))
    arena = CachedPage("arena", HTML, examples=edited, places={key: place}, questions=[question])
    pages = [CachedPage("home", HTML), arena]
    write(tmp_path / "site", pages, "")
    paths = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*")}
    assert {
        "index.html",
        "arena.html",
        "references.bib",
        "references.ris",
        "references.json",
        "problem_set.py",
        "mark_problems.py",
        "bug_lab.py",
        "mark_bugs.py",
        "quiz-arena.moodle.xml",
        "quiz-arena.qti.zip",
        "quizzes.moodle.xml",
        "quizzes.qti.zip",
        "xray.py",
        "favicon.ico",
        "feed.xml",
        "robots.txt",
        "search.json",
    } <= paths
    assert f"shelf/{key}/picture.json.packed" in paths
    assert f"shelf/{key}/numbers-first.json.packed" in paths
    assert "shelf/example/tables.json.packed" in paths
    assert f"shelf/{key}/state-0-1.json.packed" not in paths
    assert unpacked(tmp_path / "site" / "shelf" / key / "atlas.json.packed") == {"name": "atlas"}
    assert any(name.endswith("/simulations.js") for name in paths)
    assert any(name.endswith("/widgets.css") for name in paths)
    assert any(name.endswith("/bokeh.min.js") for name in paths)


def test_figures_for_frames_are_files_and_name_their_page(tmp_path: Path) -> None:
    figure = '<html lang="en" data-embed>\n<a data-home href="arena#x">a</a></html>'
    page = '<html lang="en">\n<figure data-embed="embed/arena"></figure></html>'
    write(tmp_path, [CachedPage("arena", page), CachedPage("embed/arena", figure)], "")
    assert 'data-embed="embed/arena.html"' in (tmp_path / "arena.html").read_text()
    alone = (tmp_path / "embed" / "arena.html").read_text()
    assert 'href="arena.html#x"' in alone
    assert '<html lang="en" data-static data-live="" data-embed>' in alone


@pytest.mark.parametrize("address", ["", "https://example.org/skip"])
def test_the_page_for_missing_addresses_works_in_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", address)
    links = '<a href="./">home</a><a href="arena">a</a><a href="#b">b</a>'
    page = f'<html lang="en">\n<script src="assets/main.js"></script>{links}</html>'
    write(tmp_path, [CachedPage(MISSING, page), CachedPage("arena", HTML)], "")
    written = re.findall(r'(?:href|src)="([^"]*)"', (tmp_path / "404.html").read_text())
    root = f"{address}/" if address else ""
    assert written == [f"{root}assets/main.js", f"{root}index.html", f"{root}arena.html", "#b"]


def test_the_code_of_a_figure_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", "https://example.org/skip")
    page = '<html lang="en">\n<a href="code-arena">sims/arena.py</a></html>'
    write(tmp_path, [CachedPage("arena", page), CachedPage("code-arena", HTML)], "")
    assert 'href="code-arena.html"' in (tmp_path / "arena.html").read_text()
    assert (tmp_path / "code-arena.html").is_file()
    assert "code-arena" not in (tmp_path / "sitemap.xml").read_text()


def test_slides_are_files_and_no_place_for_a_search_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", "https://example.org/skip")
    monkeypatch.setenv("SKIP_MAIL", "us@example.org")
    page = (
        '<html lang="en">\n<a href="slides-lesson-20">s</a>\n<a href="https://feedback.invalid/?page=a&amp;version=1">'
    )
    write(tmp_path, [CachedPage("teach", page), CachedPage("slides-lesson-20", HTML)], "")
    text = (tmp_path / "teach.html").read_text()
    assert 'href="slides-lesson-20.html"' in text
    assert 'href="mailto:us@example.org?' in text
    assert "slides-lesson-20" not in (tmp_path / "sitemap.xml").read_text()


def test_pages_at_former_addresses_lead_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_site, "RENAMES", Renames(pages={"old": "arena"}, simulations={"older": "race"}))
    write(tmp_path, [], "")
    assert '<a href="arena.html">' in (tmp_path / "old.html").read_text()
    moved = (tmp_path / "embed" / "older.html").read_text()
    assert '<a href="race.html">' in moved
    assert 'src="../assets/' in moved


def test_only_pages_are_in_the_sitemap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_ADDRESS", "https://example.org/skip")
    write(tmp_path, [CachedPage("arena", HTML), CachedPage("embed/arena", HTML)], "")
    sitemap = (tmp_path / "sitemap.xml").read_text()
    assert "https://example.org/skip/arena.html" in sitemap
    assert "embed" not in sitemap


def test_a_copy_can_be_made_to_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "usual", [CachedPage("arena", HTML)], "")
    assert not (tmp_path / "usual" / "offline.js").exists()
    assert "data-offline" not in (tmp_path / "usual" / "arena.html").read_text()
    monkeypatch.setenv("SKIP_OFFLINE", "yes")
    write(tmp_path / "kept", [CachedPage("arena", HTML)], "")
    folder = tmp_path / "kept"
    assert 'data-static data-offline="' in (folder / "arena.html").read_text()
    files = json.loads((folder / "offline.json").read_text())["files"]
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(files) == written - {"offline.js", "offline.json"}
    first = (folder / "offline.js").read_text()
    write(tmp_path / "later", [CachedPage("arena", f"{HTML} ")], "")
    later = (tmp_path / "later" / "offline.js").read_text()
    assert first != later
    assert "'VERSION'" not in first


def test_a_kept_copy_has_a_new_version_only_if_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_OFFLINE", "yes")

    def written(html: str) -> list[bytes]:
        write(tmp_path / "site", [CachedPage("arena", html)], "")
        return [(tmp_path / "site" / name).read_bytes() for name in ("offline.js", "offline.json", "arena.html")]

    first = written(HTML)
    assert written(HTML) == first
    assert written(f"{HTML} ")[0] != first[0]
    monkeypatch.delenv("SKIP_OFFLINE")
    write(tmp_path / "site", [CachedPage("arena", HTML)], "")
    assert not list((tmp_path / "site").glob("offline.*"))


def test_what_is_not_built_is_named_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sources, "version", lambda self: "v1")
    monkeypatch.setattr(Sources, "names", lambda self: ["home", "arena"])
    monkeypatch.setattr("sys.argv", ["static_site", str(tmp_path / "site")])
    place = {"anchor": "paths", "name": "paths", "settings": {}}
    save("v1", CachedPage("home", HTML, places={"0123456789abcdef": place}, examples={"w": {"table": "t1"}}))
    with pytest.raises(SystemExit) as ended:
        static_site.main()
    assert str(ended.value).splitlines() == [
        "home: no picture 0123456789abcdef",
        "home: no tables t1",
        "arena: not built",
        "no kernels for browsers",
        "`make build` builds what is missing.",
    ]
    assert not (tmp_path / "site").exists()
    store.write("0123456789abcdef", store.PICTURE, {})
    store.write("t1", store.TABLES, {})
    save("v1", CachedPage("arena", HTML))
    kernels = browser_kernels.folder(browser_kernels.key())
    write_whole(kernels / f"{browser_kernels.LAST}.gz", gzip.compress(b"{}"))
    monkeypatch.setenv("SKIP_LIVE", "live.example/skip")
    with pytest.raises(SystemExit, match="SKIP_LIVE"):
        static_site.main()
    assert not (tmp_path / "site").exists()
    monkeypatch.setenv("SKIP_LIVE", "https://live.example/skip")
    static_site.main()
    assert 'data-live="https://live.example/skip/"' in (tmp_path / "site" / "arena.html").read_text()
    assert (tmp_path / "site" / "kernels" / kernels.name / "proof.json").read_bytes() == b"{}"
