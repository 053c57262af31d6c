"""The files with the questions of pages, for learning platforms."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from app.pages.exports.moodle import CONTENT_TYPE as XML_TYPE
from app.pages.exports.moodle import moodle
from app.pages.exports.qti import CONTENT_TYPE as ZIP_TYPE
from app.pages.exports.qti import qti
from app.pages.exports.quiz import Item, restored

FORMATS: Mapping[str, tuple[str, Callable[[Sequence[Item], str], bytes]]] = {
    "moodle.xml": (XML_TYPE, moodle),
    "qti.zip": (ZIP_TYPE, qti),
}
"""Ending → content type, and what writes a file of items under the site's name"""


def quiz_file(ending: str, pages: Iterable[Sequence[Mapping[str, Any]]], site: str) -> bytes:
    """The file of the questions of these pages, each given as its questions' fields; empty where they have none."""
    items = [restored(question) for page in pages for question in page]
    return FORMATS[ending][1](items, site) if items else b""
