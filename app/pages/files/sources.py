"""What pages are made from, as files: which pages there are, and one version of everything that they are made from."""

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
PREDICTIONS = "predictions"
EXTRAS = {
    CLAIMS: "What is true?",
    GLOSSARY: "Glossary",
    REFERENCES: "References",
    PREDICTIONS: "How well did you predict?",
}
"""Pages made from data, with their titles."""

CLAIM = "claim-"
"""The beginning of the name of the page that one claim has for itself; its id follows."""

SHEET = "sheet-"
"""The beginning of the name of the page that has the questions of a chapter for paper; the chapter's follows."""

EMBED = "embed/"
"""The beginning of the name of the page that holds one figure alone, for frames on other sites"""

IDENTIFIER = re.compile(rb"^- id: (\S+)$", re.MULTILINE)
"""Where the file of claims begins a claim"""

NUMBERS = "numbers"
"""The page that says how the numbers were made."""

MISSING = "404"
"""The page for an address that has none."""

MARKED = re.compile(r"(\d+|[A-Z])-(.+)")
"""The name of a file that teaches: a chapter's number or a deep dive's letter, and what it is called in addresses"""

FRONT = re.compile(r"---\n.*?^---$", re.DOTALL | re.MULTILINE)
TITLE = re.compile(rb"^title: (.+)$", re.MULTILINE)
CODE = ("sims/**/*.py", "sims/data/files/*", "app/**/*.py", "app/templates/**/*.html")
"""Files whose every byte may show on a page or in a picture: a page prints code, comments included."""


def mark_and_slug(path: Path) -> tuple[str, str]:
    """What marks a page, nothing for one that does not teach, and its name in addresses."""
    match = MARKED.fullmatch(path.stem)
    return (match[1], match[2]) if match else ("", path.stem)


class Sources:
    """The files of one site as they are now: a file is read once. What is saved later needs another object."""

    def __init__(self, content: Path = CONTENT) -> None:
        self.content = content
        self._read: dict[Path, bytes] = {}

    def chapters(self) -> list[Path]:
        """The files of the chapters in the order of their numbers, and then of the deep dives, by their letters."""
        numbered = sorted((self.content / "chapters").glob("*.md"), key=lambda path: int(mark_and_slug(path)[0]))
        return [*numbered, *sorted((self.content / "deep-dives").glob("*.md"))]

    def files(self) -> dict[str, Path]:
        """Slug → file, for every page of prose: home, chapters, deep dives, and what else lies beside home."""
        others = (path for path in sorted(self.content.glob("*.md")) if path.stem not in (HOME, "STYLE"))
        return {
            HOME: self.content / "home.md",
            **{mark_and_slug(path)[1]: path for path in (*self.chapters(), *others)},
        }

    def slugs(self) -> list[str]:
        """Every page that can be searched for; the home page is the first."""
        return [*self.files(), *EXTRAS]

    def names(self) -> list[str]:
        """Every page that is built, in the order of the build: those of `slugs`, the missing page, and those beside."""
        return [*self.slugs(), MISSING, *self.beside(), *self.embeds()]

    def claims(self) -> list[str]:
        """The pages of single claims, which stand beside the others: a link to one of them has its own image."""
        return [CLAIM + name.decode() for name in IDENTIFIER.findall(self._bytes(self.content / "claims.yaml"))]

    def sheets(self) -> list[str]:
        """The pages for paper, one for every page that teaches."""
        return [SHEET + mark_and_slug(path)[1] for path in self.chapters()]

    def beside(self) -> list[str]:
        """Pages that stand beside the others: single claims, and sheets for paper. None of them can be searched for."""
        return [*self.claims(), *self.sheets()]

    def embeds(self) -> dict[str, tuple[str, str]]:
        """The pages of single figures → the page where each stands, and its id there.

        A simulation is embedded by its name as it stands first in the chapters and deep dives, then on other pages;
        as it stands elsewhere, by the name of the page and its id there.
        """
        files = self.files()
        pages: dict[str, tuple[str, str]] = {}
        for slug in (*(file for file in files if file != HOME), HOME):
            for name, anchor in figures(self._bytes(files[slug])):
                first = f"{EMBED}{name}"
                pages[f"{EMBED}{slug}.{anchor}" if first in pages else first] = slug, anchor
        return pages

    def title(self) -> str:
        """The name of the site: the title of its home page."""
        match = TITLE.search(self._bytes(self.content / "home.md"))
        return match[1].decode().strip() if match else ""

    def version(self) -> str:
        """Changes with every byte that a page is made from: content, numbers, code, files for browsers, libraries."""
        digest = hashlib.sha256(self.shared().encode())
        for path in (*self.files().values(), *self._all([(self.content, "*.json")])):
            digest.update(self._bytes(path))
        return digest.hexdigest()[:16]

    def shared(self) -> str:
        """Changes with what every page is made from: all but the words of the pages below their fronts, and numbers."""
        libraries = [release(library) for library in LIBRARIES]
        digest = hashlib.sha256(f"{assets.version()}{self.code()}{libraries}{self.embeds()}".encode())
        patterns = ("*.yaml", "*.bib", "stills/*", "cards/*")
        for path in (*self._all((self.content, pattern) for pattern in patterns), changelog.FILE):
            digest.update(self._bytes(path))
        for slug, path in self.files().items():
            front = FRONT.match(self._bytes(path).decode(errors="replace"))
            digest.update(f"{slug}\0{front[0] if front else ''}\0".encode())
        return digest.hexdigest()[:16]

    def code(self) -> str:
        """Changes with the code that makes pages and pictures."""
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
