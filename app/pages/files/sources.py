"""The source files of pages: which pages exist, and a version of everything they are made from."""

import hashlib
import re
from collections.abc import Iterable
from importlib.metadata import version as release
from pathlib import Path

from app.pages.data import changelog
from app.pages.files import assets
from app.pages.files.figure_index import figures
from sims.kept.provenance import LIBRARIES
from sims.paths import CONTENT, ROOT

HOME = "home"
CLAIMS, GLOSSARY, REFERENCES = "claims", "glossary", "references"
PREDICTIONS, REVIEW, INVENTORY = "predictions", "review", "inventory"
EXTRAS = {
    CLAIMS: "What is true?",
    GLOSSARY: "Glossary",
    REFERENCES: "References",
    PREDICTIONS: "How well did you predict?",
    REVIEW: "Questions that come back",
    INVENTORY: "What do you know about skip connections?",
}
"""Pages made from data, with their titles."""

CLAIM = "claim-"
"""Prefix of the slug of a single claim's page; the claim's id follows."""

SHEET = "sheet-"
"""Prefix of the slug of a worksheet; the slug of the chapter follows."""

LISTING = "code-"
"""Prefix of the slug of a page with the code of one simulation, whose name follows; figures load it when it is asked
for"""

EMBED = "embed/"
"""Prefix of the slug of a page with one figure, for frames on other sites"""

IDENTIFIER = re.compile(rb"^- id: (\S+)$", re.MULTILINE)
"""The line with which a claim begins in `claims.yaml`"""

NUMBERS = "numbers"
"""The page that says how the numbers were made."""

SLIDES = "slides-"
"""Prefix of the slug of the slides of a lesson, whose id follows"""

PLAN = re.compile(rb"^:{3,}\{lesson\} ([\w-]+)", re.MULTILINE)
"""The line with which a lesson plan begins"""

FILES = (
    "references.bib",
    "references.ris",
    "references.json",
    "xray.py",
    "problem_set.py",
    "mark_problems.py",
    "bug_lab.py",
    "mark_bugs.py",
)
"""Files beside the pages, which readers can take along"""

MISSING = "404"
"""The page for an address that has none."""

MARKED = re.compile(r"(\d+|[A-Z])-(.+)")
"""The file name of a chapter or deep dive: its number or letter, and its slug"""

FRONT = re.compile(r"---\n.*?^---$", re.DOTALL | re.MULTILINE)
TITLE = re.compile(rb"^title: (.+)$", re.MULTILINE)
CODE = ("sims/**/*.py", "sims/data/files/*", "app/**/*.py", "app/templates/**/*.html")
"""Files of which every byte may appear on a page or in a picture: pages print code, including comments."""


def mark_and_slug(path: Path) -> tuple[str, str]:
    """The number or letter of a page, "" for one that is no chapter or deep dive, and its slug."""
    match = MARKED.fullmatch(path.stem)
    return (match[1], match[2]) if match else ("", path.stem)


class Sources:
    """The files of one site. Each file is read once: to see later changes, create another object."""

    def __init__(self, content: Path = CONTENT) -> None:
        self.content = content
        self._read: dict[Path, bytes] = {}

    def chapters(self) -> list[Path]:
        """The files of the chapters, ordered by number, then those of the deep dives, ordered by letter."""
        numbered = sorted((self.content / "chapters").glob("*.md"), key=lambda path: int(mark_and_slug(path)[0]))
        return [*numbered, *sorted((self.content / "deep-dives").glob("*.md"))]

    def files(self) -> dict[str, Path]:
        """Slug → file, for every page of prose: home, chapters, deep dives, and the other files in `content/`."""
        others = (path for path in sorted(self.content.glob("*.md")) if path.stem not in (HOME, "STYLE"))
        return {
            HOME: self.content / "home.md",
            **{mark_and_slug(path)[1]: path for path in (*self.chapters(), *others)},
        }

    def slugs(self) -> list[str]:
        """The pages that can be searched for, starting with the home page."""
        return [*self.files(), *EXTRAS]

    def names(self) -> list[str]:
        """Every page, in build order: those of `slugs`, the 404 page, claims, worksheets, code, slides, and embeds."""
        return [*self.slugs(), MISSING, *self.beside(), *self.listings(), *self.decks(), *self.embeds()]

    def claims(self) -> list[str]:
        """The slugs of the pages of single claims, which exist so that a link to a claim has its own image."""
        return [CLAIM + name.decode() for name in IDENTIFIER.findall(self._bytes(self.content / "claims.yaml"))]

    def sheets(self) -> list[str]:
        """The slugs of the worksheets, one for every chapter and deep dive."""
        return [SHEET + mark_and_slug(path)[1] for path in self.chapters()]

    def beside(self) -> list[str]:
        """The slugs of single claims and worksheets, which are in the sitemap and cannot be searched for."""
        return [*self.claims(), *self.sheets()]

    def listings(self) -> list[str]:
        """The slugs of the pages with code, one for every simulation that a page shows."""
        shown = {name for path in self.files().values() for name, _anchor in figures(self._bytes(path))}
        return [LISTING + name for name in sorted(shown)]

    def decks(self) -> dict[str, tuple[str, str]]:
        """Slug of the slides of a lesson → the slug of the page with its plan, and its id there."""
        return {
            SLIDES + name.decode(): (slug, name.decode())
            for slug, path in self.files().items()
            for name in PLAN.findall(self._bytes(path))
        }

    def embeds(self) -> dict[str, tuple[str, str]]:
        """Slug of an embed page → the slug of the page that has the figure, and its id there.

        The first figure of a simulation (in chapters and deep dives, then on other pages, then on the home page) has
        the name of the simulation as its slug; further ones have the slug of the page and the id there.
        """
        files = self.files()
        pages: dict[str, tuple[str, str]] = {}
        for slug in (*(file for file in files if file != HOME), HOME):
            for name, anchor in figures(self._bytes(files[slug])):
                first = f"{EMBED}{name}"
                pages[f"{EMBED}{slug}.{anchor}" if first in pages else first] = slug, anchor
        return pages

    def title(self) -> str:
        """The name of the site, which is the title of its home page."""
        match = TITLE.search(self._bytes(self.content / "home.md"))
        return match[1].decode().strip() if match else ""

    def version(self) -> str:
        """A hash of everything that pages are made from: content, numbers, code, files for browsers, libraries."""
        digest = hashlib.sha256(self.shared().encode())
        for path in (*self.files().values(), *self._all([(self.content, "*.json")])):
            digest.update(self._bytes(path))
        return digest.hexdigest()[:16]

    def shared(self) -> str:
        """A hash of what all pages share: `version` without numbers and without the text below the front matter."""
        libraries = [release(library) for library in LIBRARIES]
        digest = hashlib.sha256(f"{assets.version()}{self.code()}{libraries}{self.embeds()}".encode())
        patterns = ("*.yaml", "*.bib", "*.toml", "stills/*", "cards/*")
        for path in (*self._all((self.content, pattern) for pattern in patterns), changelog.FILE):
            digest.update(self._bytes(path))
        for slug, path in self.files().items():
            front = FRONT.match(self._bytes(path).decode(errors="replace"))
            digest.update(f"{slug}\0{front[0] if front else ''}\0".encode())
        return digest.hexdigest()[:16]

    def code(self) -> str:
        """A hash of the code that makes pages and pictures."""
        digest = hashlib.sha256()
        for path in self._all((ROOT, pattern) for pattern in CODE):
            digest.update(self._bytes(path))
        return digest.hexdigest()[:16]

    def _all(self, patterns: Iterable[tuple[Path, str]]) -> list[Path]:
        return [path for folder, pattern in patterns for path in sorted(folder.glob(pattern)) if path.is_file()]

    def _bytes(self, path: Path) -> bytes:
        if path not in self._read:
            self._read[path] = path.read_bytes()
        return self._read[path]
