"""What the browser searches in: the entries of all pages in one file, fetched when a reader begins to search."""

import json
from collections.abc import Iterable

from app.pages.files.sources import MISSING
from app.pages.output.cached_page import CachedPage

NAME = "search.json"
"""Its address, beside the pages"""


def index(pages: Iterable[CachedPage]) -> bytes:
    """A list of entries as JSON, each with the `page` that it is on. What is empty is left out."""
    entries = (
        {"page": page.slug, **{field: value for field, value in entry.items() if value}}
        for page in pages
        if page.slug != MISSING
        for entry in page.entries
    )
    return json.dumps(list(entries), ensure_ascii=False, separators=(",", ":")).encode()
