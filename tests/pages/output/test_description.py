"""What a page says to machines: one canonical address, a card, a citation, and structured data."""

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest
from PIL import Image

from app.pages.data.site_url import placed
from app.pages.files.sources import HOME
from app.pages.output import description
from sims.paths import CONTENT
from tests.site import CHAPTERS, CLAIM_PAGES, SLUGS, site

ADDRESS = "https://example.org/skip/"
every_page = pytest.mark.parametrize("slug", [*SLUGS, *CLAIM_PAGES[:2]])
"""The pages of claims are made from one template, so that two of them are enough."""


class Head(HTMLParser):
    """Metadata by name, links by relation, and structured data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.feed(text)
        (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
        self.data = json.loads(data)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "meta" and "content" in given:
            self.meta[given.get("property") or given["name"]] = given["content"]
        if tag == "link":
            self.links[given["rel"]] = given["href"]


@cache
def head(slug: str, address: str) -> Head:
    return Head(placed(site().html(slug), address))


@every_page
def test_a_page_with_an_address_says_where_it_is(slug: str) -> None:
    found = head(slug, ADDRESS)
    here = ADDRESS if slug == HOME else f"{ADDRESS}{slug}"
    assert found.links["canonical"] == found.meta["og:url"] == found.data["url"] == here
    assert found.meta["twitter:card"] == "summary_large_image"
    assert found.meta["og:image"].startswith(f"{ADDRESS}cards/{slug}.png?v=")
    assert found.data["image"] == found.meta["og:image"]


@every_page
def test_a_page_without_an_address_says_everything_else(slug: str) -> None:
    found = head(slug, "")
    assert "canonical" not in found.links
    assert not {"og:url", "og:image", "citation_public_url"} & set(found.meta)
    assert not {"url", "image"} & set(found.data)
    assert found.meta["description"] == found.meta["og:description"] == found.data["description"]
    assert len(found.meta["description"]) > 40


@every_page
def test_chapters_can_be_cited_and_teach(slug: str) -> None:
    found = head(slug, ADDRESS)
    assert (found.meta.get("citation_title") == found.data["name"]) == (slug in CHAPTERS)
    assert ("ScholarlyArticle" in found.data["@type"]) == (slug in CHAPTERS)
    assert found.data["license"] == description.LICENSE


def test_every_page_has_a_card_of_its_size_and_no_other_has_one() -> None:
    sizes = {}
    for path in (CONTENT / "cards").iterdir():
        with Image.open(path) as image:
            sizes[path.stem] = image.size
    assert sizes == dict.fromkeys([*SLUGS, *CLAIM_PAGES], description.CARD)


def test_the_missing_page_is_not_to_be_found() -> None:
    html = site().missing()
    assert '<meta name="robots" content="noindex">' in html
    assert "canonical" not in html


def test_data_cannot_end_their_script() -> None:
    told = description.described(CONTENT, HOME, "Site", "</script><b>", "words", False)
    assert told.count("</script") == 1
