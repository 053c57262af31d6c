"""The search entries of a page: sections, figures, examples, claims, terms, papers and works, each with its text.

They are read from the finished HTML, so that a search finds what a reader sees on the page. What the page hides until a
reader has answered is left out. The check of a claim can be found by its words, but is not shown in results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from app.pages.files.sources import CLAIMS
from app.pages.text.plain_text import without_formulas

PAGE, SECTION, FIGURE, EXAMPLE, CLAIM = "page", "section", "figure", "example", "claim"
TERM, PAPER, WORK = "term", "paper", "work"

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
SILENT = {"button", "datalist", "nav", "noscript", "output", "pre", "script", "style", "svg", "template"}
"""Elements whose text is not indexed"""
HELD = {
    "answered",
    "badge",
    "because",
    "commit",
    "confidence",
    "contradictions",
    "count",
    "covered",
    "diverged",
    "evidence",
    "exercise",
    "filter",
    "hidden",
    "how",
    "key",
    "kind",
    "letters",
    "live",
    "meanings",
    "outcome",
    "page",
    "predicted",
    "preprint",
    "quiet",
    "remark",
    "spoken",
    "stage-message",
    "truth",
    "unknown",
    "used",
}
"""Classes of elements that are not indexed: hidden answers, controls, and text repeated on every page"""
PRINTED = ("handouts",)
"""Pages to print, which repeat what is on others: only their titles are found"""
CONTROLS = {CLAIM: ("label", "legend")}
TITLES = ("blockquote", "cite", "dt", "h3")


@dataclass
class Entry:
    """One thing that can be found. `within` are the titles of the enclosing entries, outermost first; `more` is text
    that is searched and not shown."""

    kind: str
    title: str
    anchor: str
    within: list[str]
    text: str = ""
    more: str = ""


@dataclass
class _Open:
    """An open element: the entry and the field that its text belongs to; the field is "" if it is not indexed."""

    tag: str
    entry: Entry
    field: str
    fold: bool = False


def entries(slug: str, title: str, lede: str, html: str) -> list[Entry]:
    """All entries of a page, starting with the page itself; `html` is its content without the layout."""
    reader = _Reader(slug, title, lede)
    if slug not in PRINTED:
        reader.feed(without_formulas(html))
    for entry in reader.entries:
        entry.title, entry.text, entry.more = map(_tidy, (entry.title, entry.text, entry.more))
    return reader.entries


def _tidy(text: str) -> str:
    return " ".join(text.split()).replace(". .", ".")


class _Reader(HTMLParser):
    def __init__(self, slug: str, title: str, lede: str) -> None:
        super().__init__()
        self._claims = slug == CLAIMS
        self._page = Entry(PAGE, title, "", [], lede)
        self.entries = [self._page]
        self._section = self._page
        self._open: list[_Open] = []

    def handle_starttag(self, tag: str, attributes: Sequence[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        classes = set(values.get("class", "").split())
        outer = self._open[-1] if self._open else _Open("", self._section, "text")
        if tag in VOID:
            self.handle_data(" ")
            return
        self._open.append(self._opened(tag, values.get("id", ""), classes, outer))
        if tag in ("p", "li", "td", "th", "dd", "dt", "div", "h3", "h4", "summary", "legend", "label"):
            self.handle_data(" ")

    def _opened(self, tag: str, anchor: str, classes: set[str], outer: _Open) -> _Open:
        """Decide which entry and field the text in an element belongs to."""
        entry, field = outer.entry, outer.field
        above = self._open[-1] if self._open else outer
        if not field or tag in SILENT or classes & HELD or ("claim" in classes and not self._claims):
            return _Open(tag, entry, "")
        if tag in CONTROLS.get(entry.kind, ()) or (tag == "summary" and not above.fold):
            return _Open(tag, entry, "")
        if tag == "h2" and not classes:
            self._section = self._begun(SECTION, anchor, (self._page,)) if anchor else self._page
            return _Open(tag, self._section, "title" if anchor else "text")
        kind = self._kind(tag, anchor, classes)
        if kind:
            around = (self._page,) if self._section is self._page else (self._page, self._section)
            return _Open(tag, self._begun(kind, anchor, around), "text")
        if entry.kind not in (PAGE, SECTION) and not entry.title and (tag in TITLES or "title" in classes):
            return _Open(tag, entry, "title")
        return _Open(tag, entry, "more" if "check" in classes else field, "fold" in classes)

    def _kind(self, tag: str, anchor: str, classes: set[str]) -> str:
        above = [element.tag for element in self._open]
        if not anchor:
            return ""
        if tag == "figure":
            return FIGURE
        if tag == "tr":
            return WORK if "work" in classes else ""
        if tag == "section":
            return EXAMPLE if "worked" in classes else CLAIM if "claim" in classes else ""
        if tag == "div" and above[-1:] == ["dl"]:
            return TERM
        return PAPER if tag == "li" and "ol" in above and {"verified", "second-hand", "memory"} & classes else ""

    def _begun(self, kind: str, anchor: str, within: Sequence[Entry]) -> Entry:
        entry = Entry(kind, "", anchor, [_tidy(parent.title) for parent in within])
        self.entries.append(entry)
        return entry

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().tag != tag:
            pass

    def handle_data(self, data: str) -> None:
        at = self._open[-1] if self._open else _Open("", self._section, "text")
        if at.field:
            setattr(at.entry, at.field, getattr(at.entry, at.field) + data)
