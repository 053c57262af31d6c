"""What can be found on a page: under which title, by which words, and never by an answer that is held back."""

import re
from functools import cache

import pytest

from app.pages.files.sources import CLAIMS, GLOSSARY, REFERENCES
from app.pages.output.search_entries import Entry, entries
from tests.site import SLUGS, html_of, site


@cache
def entries_of(slug: str) -> list[Entry]:
    page = site().page(slug)
    return entries(slug, page.meta["title"], page.meta["lede"], str(page.html))


def of_kind(slug: str, kind: str) -> dict[str, Entry]:
    return {entry.anchor: entry for entry in entries_of(slug) if entry.kind == kind}


@pytest.mark.parametrize("slug", SLUGS)
def test_everything_has_a_readable_title_and_an_address_on_its_page(slug: str) -> None:
    page, *others = entries_of(slug)
    assert (page.kind, page.title, page.anchor) == ("page", site().page(slug).meta["title"], "")
    ids = re.findall(r'\bid="([^"]+)"', html_of(slug))
    for other in others:
        assert other.title, other.anchor
        assert not re.search(r"[<>]|&\w+;", other.title)
        assert other.anchor in ids
        assert other.within[0] == page.title


@pytest.mark.parametrize("slug", SLUGS)
def test_all_sections_and_figures_of_a_page_can_be_found(slug: str) -> None:
    page = site().page(slug)
    assert {section.id for section in page.sections} <= set(of_kind(slug, "section"))
    assert set(page.simulations) <= set(of_kind(slug, "figure"))
    assert set(page.examples) <= set(of_kind(slug, "example"))


def test_all_claims_terms_and_papers_can_be_found() -> None:
    assert list(of_kind(CLAIMS, "claim")) == [
        card.id for letter in site().claims.topics for card in site().claims.cards.values() if card.topic == letter
    ]
    assert set(of_kind(GLOSSARY, "term")) == {term.id for term in site().library.terms.values()}
    assert set(of_kind(REFERENCES, "paper")) == set(site().library.papers)


def test_a_claim_is_found_by_the_words_of_its_check_which_are_not_shown() -> None:
    claim = of_kind(CLAIMS, "claim")["C-01"]
    assert claim.title.startswith("Pre-LN gradients are 65 million times larger")
    assert claim.text.startswith("Why people say it: A short test")
    assert "rounding noise" not in claim.text
    assert "rounding noise" in claim.more
    assert "It depends" not in claim.more


def test_a_paper_is_found_by_its_authors_and_a_term_in_both_wordings() -> None:
    paper = of_kind(REFERENCES, "paper")["he2015"]
    assert paper.title == "Deep Residual Learning for Image Recognition"
    assert "Kaiming He" in paper.text
    assert "Used in" not in paper.text
    term = next(item for item in site().library.terms.values() if item.id == "layernorm")
    assert len(of_kind(GLOSSARY, "term")["layernorm"].text) > max(len(term.beginner), len(term.expert)) / 2


HTML = """
<p>Before <a href="x">all</a>.</p>
<h2 id="one">One <em>thing</em></h2>
<p>Its words.</p>
<figure class="simulation" id="sim"><h3 class="title">A picture</h3><p class="stage-message">wait</p>
<div class="caption">What to see.</div><div class="quiet"><pre>code</pre></div></figure>
<section class="predict exercise" id="p"><p>Which?</p><details class="truth">The answer.</details></section>
<details class="fold" id="fold"><summary>Behind a title</summary><div class="inside">Folded words.</div></details>
<section class="claim" id="A-01"><blockquote>Elsewhere.</blockquote></section>
<p>Its last words.<br>Really.</p>
"""


def test_words_belong_to_their_container_and_answers_to_nothing() -> None:
    page, section, figure = entries("any", "Any", "Lede.", HTML)
    assert page.text == "Lede. Before all."
    assert (section.title, section.within) == ("One thing", ["Any"])
    assert section.text == "Its words. Behind a title Folded words. Its last words. Really."
    assert (figure.title, figure.text, figure.within) == ("A picture", "What to see.", ["Any", "One thing"])
