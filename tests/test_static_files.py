"""The scripts of pages: no folder is crowded, an order of imports, and no script that nobody loads."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

STATIC = Path(__file__).parents[1] / "app" / "static"
FOLDERS = (
    "vendor",
    "shared",
    "bokeh",
    "surface",
    "players",
    "exercises",
    "training",
    "figure",
    "classroom",
    "search",
    "page",
    ".",
)
"""A script imports from its own folder and from those in front of it; "." are the scripts beside the folders."""

ENTRIES = {
    "head.js",
    "main.js",
    "page/offline/worker.js",
    "page/embed/head.js",
    "page/embed/embed.js",
    "page/redirect.js",
    "page/write.js",
}
"""What templates and the server name"""

MOST = 15
"""Most entries of a folder, as in the other folders of `app`"""

IMPORT = re.compile(
    r"""^(?:import|export) (?:[^'"]*? from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)|\bnew Worker\(new URL\('(\.[^']+)'""",
    re.MULTILINE,
)
"""At the start of a line or called, so that the types in comments, which need no file at run time, are left out; and
what a thread begins with"""


def scripts() -> dict[str, str]:
    """The texts of our scripts by their paths; libraries that we ship are not ours."""
    paths = [path for path in sorted(STATIC.rglob("*.js")) if not {"minisearch", "vendor"} & {*path.parts}]
    return {path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def imports(name: str, text: str) -> Iterator[str]:
    """The paths of the scripts that this one imports, now or later."""
    for match in IMPORT.finditer(without_comments(text)):
        path = (STATIC / name).parent / (match[1] or match[2] or match[3])
        yield path.resolve().relative_to(STATIC).as_posix()


def level(name: str) -> int:
    return FOLDERS.index(name.split("/")[0] if "/" in name else ".")


TS_FSRS = "fbeacec34630369c9a4bfcfc3e602e89f07ad4db25ac4c59576e39fe7f8ebfb4"
"""How the SHA-512 hash of `dist/index.mjs` in ts-fsrs 5.4.2 begins"""


def test_the_scheduler_is_as_its_authors_publish_it() -> None:
    folder = STATIC / "vendor" / "ts-fsrs"
    assert hashlib.sha512((folder / "index.js").read_bytes()).hexdigest().startswith(TS_FSRS)
    assert "Permission is hereby granted" in (folder / "LICENSE.txt").read_text()
    assert "ts-fsrs 5.4.2" in (folder / "index.d.ts").read_text()
    assert "ts-fsrs 5.4.2" in (STATIC.parents[1] / "README.md").read_text()


def test_no_folder_is_crowded() -> None:
    folders = [STATIC, *(path for path in STATIC.rglob("*") if path.is_dir())]
    counts = {path.relative_to(STATIC).as_posix(): len(list(path.iterdir())) for path in folders}
    assert {name: count for name, count in counts.items() if count > MOST} == {}


def test_imports_lead_to_scripts() -> None:
    missing = [
        (name, target)
        for name, text in scripts().items()
        for target in imports(name, text)
        if not (STATIC / target).is_file()
    ]
    assert missing == []


def test_no_import_leads_to_a_folder_further_down() -> None:
    upward = [
        f"{name} imports {target}"
        for name, text in scripts().items()
        for target in imports(name, text)
        if level(target) > level(name)
    ]
    assert upward == []


def test_no_script_imports_itself_by_others() -> None:
    sources = scripts()
    graph = {name: {target for target in imports(name, text) if target in sources} for name, text in sources.items()}
    while loose := [name for name, targets in graph.items() if not targets]:
        for name in loose:
            del graph[name]
        for targets in graph.values():
            targets.difference_update(loose)
    assert graph == {}


def test_every_script_is_loaded_by_some_page() -> None:
    sources = scripts()
    reached, waiting = set[str](), list(ENTRIES)
    while waiting:
        name = waiting.pop()
        if name in sources and name not in reached:
            reached.add(name)
            waiting += imports(name, sources[name])
    assert set(sources) - reached == set()


def test_every_entry_is_named_by_a_template_the_server_or_a_tool() -> None:
    app = STATIC.parent
    namers = (*app.glob("templates/**/*.html"), app / "server" / "writing.py", app.parent / "tools" / "static_site.py")
    texts = [path.read_text(encoding="utf-8") for path in namers]
    for name in ENTRIES:
        assert any(re.search(rf'[/}}" (]{re.escape(name)}"', text) for text in texts), name
