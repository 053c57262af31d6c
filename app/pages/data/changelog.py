"""The versions of the site as listed in `CHANGELOG.md`, and the feed made from them."""

import re
import uuid
from dataclasses import dataclass
from functools import lru_cache
from xml.sax.saxutils import escape

from markdown_it import MarkdownIt

from app.pages.data.site_url import MARK
from app.pages.text.errors import BuildError
from sims.paths import ROOT

FILE = ROOT / "CHANGELOG.md"
NEXT = "## Unreleased"
"""Heading of unreleased changes: it comes before all versions, and is published with the next one"""

HEAD = re.compile(r"## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)")
MARKDOWN = MarkdownIt("commonmark", {"html": False})
AUTHORS = "The Skip Connections authors"
FORMER_TITLE = "Skip connections, explained: changes"
"""Name from which the feed's id was made: readers' programs know it by that"""

NAMESPACE = uuid.UUID("8d0f5c1e-3f0b-4b0e-9b1c-5d2a64c1f7aa")
"""UUID namespace of the feed's ids, which stay the same wherever the site is published"""


@dataclass(frozen=True)
class Release:
    """A version, its date, and what changed for readers."""

    version: str
    date: str
    notes: tuple[str, ...]


def releases() -> list[Release]:
    """All versions, newest first. Raises BuildError if the file is malformed."""
    return list(_releases(FILE.read_text(encoding="utf-8")))


@lru_cache(maxsize=2)
def _releases(text: str) -> tuple[Release, ...]:
    versions: list[tuple[str, str, list[str]]] = []
    for at, line in enumerate(text.splitlines(), 1):
        if line == NEXT and not versions:
            continue
        if line.startswith("## "):
            head = HEAD.fullmatch(line)
            if head is None:
                raise BuildError("a version is a line like `## 1.0.0 (2026-11-22)`", FILE, at)
            versions.append((head[1], head[2], []))
        elif line.startswith("- ") and versions:
            versions[-1][2].append(line.removeprefix("- "))
        elif line.startswith("  ") and versions and versions[-1][2]:
            versions[-1][2][-1] += f" {line.strip()}"
    if not versions:
        raise BuildError("there is no version", FILE, 1)
    return tuple(Release(version, date, tuple(notes)) for version, date, notes in versions)


def code_license(site: str) -> str:
    """The line about the license that every file of code has; `site` is the name of the site."""
    return f"MIT License, © {AUTHORS}, {site} {releases()[0].version}"


def feed(site: str) -> str:
    """An Atom feed (RFC 4287) of all versions; its links are relative, with a marker in place of the site's address.
    `site` is the name of the site.
    """
    entries = [
        "<entry>\n"
        f"<id>{_name(release.version)}</id>\n<title>Version {release.version}</title>\n"
        f"<updated>{release.date}T00:00:00Z</updated>\n"
        '<link rel="alternate" href="./"/>\n'
        f'<content type="html">{escape(_list(release.notes))}</content>\n'
        "</entry>\n"
        for release in releases()
    ]
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{_name(FORMER_TITLE)}</id>\n<title>{escape(site)}: changes</title>\n"
        f"<updated>{releases()[0].date}T00:00:00Z</updated>\n"
        f"<author><name>{AUTHORS}</name></author>\n"
        '<link rel="alternate" href="./"/>\n'
        f'<link rel="self" href="{MARK}feed.xml"/>\n'
        f"{''.join(entries)}</feed>\n"
    )


def _name(of: str) -> str:
    return uuid.uuid5(NAMESPACE, of).urn


def _list(notes: tuple[str, ...]) -> str:
    return f"<ul>{''.join(f'<li>{MARKDOWN.renderInline(note)}</li>' for note in notes)}</ul>"
