"""What a page says to machines: one canonical address, a card, a citation, and structured data."""

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest
from PIL import Image

from app.pages.data.site_url import with_base_url
from app.pages.files.sources import HOME
from app.pages.output import description
from sims.paths import CONTENT
from tests.site import CHAPTERS, CLAIM_PAGES, SLUGS, html_of, site

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
        values = {name: value or "" for name, value in attributes}
        if tag == "meta" and "content" in values:
            self.meta[values.get("property") or values["name"]] = values["content"]
        if tag == "link":
            self.links[values["rel"]] = values["href"]


@cache
def head(slug: str, address: str) -> Head:
    return Head(with_base_url(html_of(slug), address))


@every_page
def test_a_page_with_an_address_says_where_it_is(slug: str) -> None:
    result = head(slug, ADDRESS)
    expected = ADDRESS if slug == HOME else f"{ADDRESS}{slug}"
    assert result.links["canonical"] == result.meta["og:url"] == result.data["url"] == expected
    assert result.meta["twitter:card"] == "summary_large_image"
    assert result.meta["og:image"].startswith(f"{ADDRESS}cards/{slug}.png?v=")
    assert result.data["image"] == result.meta["og:image"]


@every_page
def test_a_page_without_an_address_says_everything_else(slug: str) -> None:
    result = head(slug, "")
    assert "canonical" not in result.links
    assert not {"og:url", "og:image", "citation_public_url"} & set(result.meta)
    assert not {"url", "image"} & set(result.data)
    assert result.meta["description"] == result.meta["og:description"] == result.data["description"]
    assert len(result.meta["description"]) > 40


@every_page
def test_chapters_can_be_cited_and_teach(slug: str) -> None:
    result = head(slug, ADDRESS)
    assert (result.meta.get("citation_title") == result.data["name"]) == (slug in CHAPTERS)
    assert ("ScholarlyArticle" in result.data["@type"]) == (slug in CHAPTERS)
    assert result.data["license"] == description.LICENSE


def test_every_page_has_a_card_of_its_size_and_no_other_has_one() -> None:
    sizes = {}
    for path in (CONTENT / "cards").iterdir():
        with Image.open(path) as image:
            sizes[path.stem] = image.size
    assert sizes == dict.fromkeys([*SLUGS, *CLAIM_PAGES], description.CARD), "python -m tools.cards makes them"


def test_the_missing_page_is_not_to_be_found() -> None:
    html = site().missing()
    assert '<meta name="robots" content="noindex">' in html
    assert "canonical" not in html


def test_data_cannot_end_their_script() -> None:
    markup = description.described(CONTENT, HOME, "Site", "</script><b>", "words", False)
    assert markup.count("</script") == 1
