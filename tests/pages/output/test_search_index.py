"""The file that the browser searches in."""

import json
from dataclasses import asdict

from app.pages.files.sources import MISSING
from app.pages.output.cached_page import CachedPage
from app.pages.output.search_entries import Entry
from app.pages.output.search_index import index


def test_it_has_the_entries_of_all_pages_without_what_is_empty() -> None:
    entry = asdict(Entry("section", "Ähnlich", "one", ["Page"], "Words."))
    pages = [CachedPage("a", entries=[entry]), CachedPage("b"), CachedPage(MISSING, entries=[entry])]
    content = index(pages)
    assert json.loads(content) == [
        {"page": "a", "kind": "section", "title": "Ähnlich", "anchor": "one", "within": ["Page"], "text": "Words."}
    ]
    assert "Ähnlich" in content.decode()
