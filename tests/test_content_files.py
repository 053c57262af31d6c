"""The data files of `content`: complete, consistent with one another, and within the counts of the content brief."""

import re
from pathlib import Path

import pytest

from app.pages.data import bibliography, claims, glossary
from sims import registry
from sims.contract import parameters
from sims.data import history, publications, recipe_evidence
from tests.site import CHAPTERS, SLUGS, SOURCES, html_of, site

CONTENT = Path(__file__).parent.parent / "content"
PAGES = {*CHAPTERS, "claims"}
"""What a card may belong to"""
CARDS = claims.read(CONTENT / "claims.yaml")
PAPERS = bibliography.read(CONTENT / "references.bib")
TERMS = glossary.read(CONTENT / "glossary.yaml")


def test_every_card_is_in_a_topic_by_its_id() -> None:
    assert {card.topic for card in CARDS.cards.values()} == set(CARDS.topics)
    assert all(card.id.startswith(f"{card.topic}-") for card in CARDS.cards.values())


def test_the_front_shows_ten_cards_that_exist() -> None:
    assert len(CARDS.front) == 10
    assert set(CARDS.front) <= set(CARDS.cards)


def test_a_card_says_what_it_rests_on_and_where_it_belongs() -> None:
    for card in CARDS.cards.values():
        assert card.chapter in PAGES, card.id
        assert card.evidence, card.id
        assert card.statement.endswith("."), card.id
        assert card.correction.endswith("."), card.id


def test_the_check_of_a_card_sets_controls_that_exist() -> None:
    checks = {card.id: card.check for card in CARDS.cards.values() if card.check}
    assert checks
    for name, check in checks.items():
        settings, notes = parameters.read(registry.find(check["simulation"]), check["parameters"])
        assert notes == [], name
        assert len(settings) == len(check["parameters"]), name


def test_the_statements_differ() -> None:
    statements = [card.statement for card in CARDS.cards.values()]
    assert len(set(statements)) == len(statements)


def test_the_glossary_is_complete() -> None:
    entries = {term.id: term for term in TERMS.values()}
    assert len(entries) >= 150
    for term in entries.values():
        assert min(len(term.beginner), len(term.expert)) > 0, term.name
        assert term.beginner != term.expert, term.name


def test_common_words_are_marked_as_everyday_and_rare_ones_are_not() -> None:
    everyday = {term.name for term in TERMS.values() if term.everyday}
    assert 0.3 < len(everyday) / len({term.id for term in TERMS.values()}) < 0.6
    assert {"ReLU", "overfitting", "Adam"} <= everyday
    assert not {"degradation", "shattered gradients", "filter normalization"} & everyday


@pytest.mark.parametrize(
    "name",
    [
        "degradation",
        "overfitting",
        "plain network",
        "training error",
        "BatchNorm",
        "He initialization",
        "orthogonal initialization",
        "existence proof",
        "depth",
        "capacity",
    ],
)
def test_the_terms_of_chapter_0_are_explained(name: str) -> None:
    assert name.casefold() in TERMS


def test_the_sources_of_published_numbers_are_in_the_references() -> None:
    assert {record.source for record in publications.records() if record.source} <= set(PAPERS)


def test_every_paper_is_used_and_says_who_wrote_it() -> None:
    """By a page, by a card, by a published number, or by what the figures of history and recipes show."""
    used = {paper.key for slug in SLUGS for paper in site().page(slug).papers}
    used |= {record.source for record in publications.records() if record.source}
    used |= {source for entry in history.entries() for source in entry.sources}
    used |= {source.cite for source in recipe_evidence.sources().values()}
    assert sorted(PAPERS.keys() - used) == []
    assert [paper.key for paper in PAPERS.values() if "looked up" in paper.byline] == []


def test_a_card_that_rests_on_papers_names_them() -> None:
    """Where only common knowledge was found, from memory or second hand, a card may have none."""
    assert [card.id for card in CARDS.cards.values() if "paper" in card.evidence and not card.sources] == []
    assert {key for card in CARDS.cards.values() for key in card.sources} <= set(PAPERS)


def test_a_card_names_the_chapter_it_belongs_to_and_a_term_where_it_is_used_first() -> None:
    claims_page, words = html_of("claims"), html_of("glossary")
    card = claims_page[claims_page.index('id="G-21"') :].partition("</section>")[0]
    assert '<a href="connectivity">' in card.partition("Treated in")[2]
    adam = re.search(r'<div id="adam">.*?</div>', words, re.DOTALL)
    assert adam
    assert re.findall(r'<a href="(.*?)">', adam[0])[-1] in PAGES
    assert "planned" not in words


PLAIN = {
    "activation", "addition", "block", "budget", "depth", "fit", "gain", "head", "norm", "path", "residual", "rms",
    "shape / tensor",
}  # fmt: skip
"""Words of the glossary that stand for other things too, in plain English, in longer terms or as a directive's key"""

MARKED = re.compile(r"\{term\}`(?:[^`<]*<([^`>]+)>|([^`]+))`")
HIDDEN = r"```.*?```|\$\$.*?\$\$|\$[^$\n]*\$|\{[a-z:]+\}`[^`]*`|`[^`]*`|^:+\{\w+\}[^\n]*$|\]\([^)]*\)"


def uses(text: str, names: set[str]) -> bool:
    """Whether a page has one of the words in its sentences."""
    plain = MARKED.sub(lambda match: f" {match[1] or match[2]} ", text)
    prose = re.sub(HIDDEN, " ", plain, flags=re.DOTALL | re.MULTILINE)
    return any(re.search(rf"(?<![\w-]){re.escape(name)}e?s?(?![\w-])", prose, re.IGNORECASE) for name in names)


def test_a_word_is_explained_in_the_first_chapter_that_uses_it() -> None:
    """So that “First in” of the glossary is true."""
    texts = [chapter.read_text(encoding="utf-8") for chapter in SOURCES.chapters()]
    marks = [{(long or short).casefold() for long, short in MARKED.findall(text)} for text in texts]
    late = []
    for term in {term.id: term for term in TERMS.values()}.values():
        names = {name for name, entry in TERMS.items() if entry.id == term.id}
        used = next((number for number, text in enumerate(texts) if uses(text, names)), None)
        marked = next((number for number, mark in enumerate(marks) if names & mark), None)
        if used is not None and used != marked and term.name not in PLAIN:
            late.append((term.name, used, marked))
    assert sorted(late) == []


MISSED = """
10-crop testing, Admin, CIFAR-10, cross-entropy, embedding, GELU, head, ImageNet, logits, MLP, nats, stem, token,
top-1 error, top-5 error, Xavier initialization
"""


@pytest.mark.parametrize("name", [name.strip() for name in MISSED.split(",")])
def test_the_words_that_readers_missed_are_explained(name: str) -> None:
    assert name.casefold() in TERMS


def test_what_is_known_from_memory_is_called_reported() -> None:
    for page in CONTENT.glob("**/*.md"):
        for sentence in re.split(r"(?<=[.?!])\s", page.read_text(encoding="utf-8")):
            cited = {key for keys in re.findall(r"\{cite(?::t)?\}`([^`]+)`", sentence) for key in keys.split(",")}
            if any(PAPERS[key].status == "memory" for key in cited):
                assert "report" in sentence, f"{page.name}: {sentence}"


def test_a_paper_that_a_number_was_taken_from_was_opened() -> None:
    for record in publications.records():
        if record.source and record.status != publications.SECOND_HAND:
            assert PAPERS[record.source].status == "verified", record
