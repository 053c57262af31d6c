"""Every page is HTML as the standard has it: it is parsed without an error, and keeps the rules of content in which the
Nu Html Checker found faults."""

from functools import cache
from typing import Any

import pytest

from app.pages.data.site_url import with_base_url
from app.pages.files.sources import MISSING
from tests.site import CLAIM_PAGES, SLUGS, html_of, site

justhtml = pytest.importorskip("justhtml", reason="it is not installed here; `make test` installs it")

LABELABLE = "button, input, meter, output, progress, select, textarea"

every = pytest.mark.parametrize("slug", [*SLUGS, CLAIM_PAGES[0], MISSING])


@cache
def parsed(slug: str) -> Any:
    html = site().missing() if slug == MISSING else html_of(slug)
    return justhtml.JustHTML(with_base_url(html, ""), collect_errors=True)


@every
def test_a_page_is_parsed_without_an_error(slug: str) -> None:
    assert [str(error) for error in parsed(slug).errors] == []


@every
def test_a_caption_is_the_first_or_the_last_of_its_figure(slug: str) -> None:
    for figure in parsed(slug).query("figure"):
        names = [child.name for child in figure.children if not child.name.startswith("#")]
        assert "figcaption" not in names[1:-1]


@every
def test_a_label_is_for_one_thing(slug: str) -> None:
    for label in parsed(slug).query("label"):
        assert len(label.query(LABELABLE)) <= 1


@every
def test_what_is_fetched_ahead_says_no_more_than_it_may(slug: str) -> None:
    for link in parsed(slug).query("link[as]"):
        assert link.attrs["rel"] in ("preload", "modulepreload")
