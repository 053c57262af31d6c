"""How long a page takes to read, from its words."""

import math
from html.parser import HTMLParser

RATE = 238
"""Words of nonfiction that an adult reads silently in a minute: the mean of 190 studies (Brysbaert, 2019)"""

FORMULA = 4
"""Words as which a formula counts; our guess"""

UNREAD = {"button", "details", "nav", "output", "pre", "script", "style", "svg"}
"""Elements that are not read from beginning to end; what is folded is not counted, either"""

CONTROLS = {"kind", "commit", "how", "quiet", "hidden", "desk", "progress"}
"""Classes of elements with controls and labels"""

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words = 0
        self._outside: list[str] = []
        """The open elements from the first that is not counted"""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        classes = set((dict(attrs).get("class") or "").split())
        if self._outside or tag in UNREAD or tag == "math" or classes & CONTROLS:
            if tag == "math" and not self._outside:
                self.words += FORMULA
            self._outside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._outside and self._outside[-1] == tag:
            self._outside.pop()

    def handle_data(self, data: str) -> None:
        if not self._outside:
            self.words += sum(any(sign.isalnum() for sign in word) for word in data.split())


def words(html: str) -> int:
    """The words of a page's main line: without folds, code and controls."""
    reader = _Words()
    reader.feed(html)
    return reader.words


def minutes(html: str) -> int:
    """Whole minutes for the words of a page's main line, rounded up."""
    return math.ceil(words(html) / RATE)
