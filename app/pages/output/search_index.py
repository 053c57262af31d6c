"""The search index: the entries of all pages in one file, which the browser fetches when a reader begins to search."""

import json
from collections.abc import Iterable

from app.pages.files.sources import MISSING
from app.pages.output.cached_page import CachedPage

NAME = "search.json"
"""Its address, relative to the site's"""


def index(pages: Iterable[CachedPage]) -> bytes:
    """The entries as a JSON list, each with the slug of its `page`. Empty fields are left out."""
    entries = (
        {"page": page.slug, **{field: value for field, value in entry.items() if value}}
        for page in pages
        if page.slug != MISSING
        for entry in page.entries
    )
    return json.dumps(list(entries), ensure_ascii=False, separators=(",", ":")).encode()
