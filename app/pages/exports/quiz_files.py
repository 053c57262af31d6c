"""The files with the questions of pages, for learning platforms."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.pages.exports.moodle import CONTENT_TYPE as XML_TYPE
from app.pages.exports.moodle import moodle
from app.pages.exports.qti import CONTENT_TYPE as ZIP_TYPE
from app.pages.exports.qti import qti
from app.pages.exports.quiz import Item, restored
from app.pages.files.sources import HOME

FORMATS: Mapping[str, tuple[str, Callable[[Sequence[Item], str], bytes]]] = {
    "moodle.xml": (XML_TYPE, moodle),
    "qti.zip": (ZIP_TYPE, qti),
}
"""Ending → content type, and what writes a file of items under the site's name"""


def quiz_file(
    ending: str, pages: Iterable[Sequence[Mapping[str, Any]]], site: str, address: str, suffix: str = ""
) -> bytes:
    """The file of the questions of these pages, each given as its questions' fields; empty where they have none.

    `address` is that of the site, empty where it is not known; `suffix` ends the names of its pages.
    """
    items = [_addressed(restored(question), address, suffix) for page in pages for question in page]
    return FORMATS[ending][1](items, site) if items else b""


def _addressed(item: Item, address: str, suffix: str) -> Item:
    """The item with the address of its figure in place of the id."""
    if not (item.figure and address):
        return replace(item, figure="")
    slug = item.id.partition(".")[0]
    return replace(item, figure=f"{address}{'' if slug == HOME else slug + suffix}#{item.figure}")
