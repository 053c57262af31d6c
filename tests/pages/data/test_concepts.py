"""The concept inventory, checked without people: one scripted reader for every misconception, and one who knows."""

import math
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from app.pages.data import claims, concepts
from app.pages.data.concepts import FORMS, Item
from app.pages.files.sources import Sources
from app.pages.text.errors import BuildError
from sims.paths import CONTENT

INVENTORY = concepts.read(CONTENT / "inventory.yaml")
FILES = Sources().files()
KNOWS = ""

TABLE = {
    "more-fits": "A-contains B-contains",
    "capacity": "A-contains A-exists B-exists",
    "overfits": "B-contains A-exists A-cause B-cause",
    "vanishes": "B-exists A-cause B-cause",
    "zero-copies": "A-nothing B-nothing",
    "skip-learned": "A-nothing B-nothing A-condition B-condition",
    "skip-always": "A-condition B-condition",
    "product": "A-sum B-sum",
    "one-plus": "A-sum B-sum A-guarantee",
    "floor": "A-guarantee B-guarantee",
    "many": "A-guarantee B-guarantee",
    "direct": "A-paths B-paths A-cut B-cut",
    "counted": "A-paths B-paths A-cut B-cut",
    "norm-sizes": "A-stream B-stream",
    "norm-takes": "A-stream B-stream A-start B-start",
    "ratio-real": "A-start B-start",
    "after-branch": "A-block B-block",
    "all-pre": "A-block B-block",
}
"""Misconception → the items that are made for it."""


def chosen(item: Item, believes: str) -> int:
    """What a reader with one misconception chooses, or with none: what the misconception says, else the truth."""
    beliefs = [option.believes for option in item.options]
    return beliefs.index(believes if believes in beliefs else KNOWS)


def failed(believes: str) -> set[str]:
    return {name for name, item in INVENTORY.items.items() if not item.options[chosen(item, believes)].right}


def test_there_are_two_forms_of_twelve() -> None:
    assert len(INVENTORY.concepts) == 12
    assert [len(INVENTORY.form(form)) for form in FORMS] == [12, 12]


def test_one_who_knows_passes_every_item() -> None:
    assert failed(KNOWS) == set()


def test_every_misconception_has_its_items() -> None:
    assert set(TABLE) == set(INVENTORY.misconceptions)


@pytest.mark.parametrize("believes", TABLE)
def test_a_misconception_fails_exactly_the_items_that_are_made_for_it(believes: str) -> None:
    assert failed(believes) == set(TABLE[believes].split())


@pytest.mark.parametrize("believes", TABLE)
def test_each_form_finds_every_misconception(believes: str) -> None:
    assert {name[0] for name in failed(believes)} == set(FORMS)


def test_two_misconceptions_answer_differently() -> None:
    answers = {
        believes: tuple(chosen(item, believes) for item in INVENTORY.items.values())
        for believes in (KNOWS, *INVENTORY.misconceptions)
    }
    assert len(set(answers.values())) == len(answers)


# -- the items with numbers: each reader computes by a rule of their own ----------------------------------------------

WORDS = {"none": 0.0, "zero": 0.0, "one": 1.0, "two": 2.0, "thousandth": 1e-3, "millionth": 1e-6}


def value(text: str) -> float:
    """The first number of an option, in digits or as a word."""
    for word in re.findall(r"[\d.,]*\d|[a-z]+", text.lower()):
        if word in WORDS:
            return WORDS[word]
        if word[0].isdigit():
            return float(word.replace(",", ""))
    raise ValueError(text)


def gradient(slope: float, blocks: int, believes: str) -> float:
    """What the blocks multiply the gradient by, as this reader computes it."""
    product = slope**blocks
    rules = {"product": product, "one-plus": 1 + product, "floor": 1.0, "many": 2.0**blocks}
    return rules.get(believes, (1 + slope) ** blocks)


def paths(blocks: int, believes: str) -> float:
    return {"product": 1.0, "one-plus": 2.0}.get(believes, 2.0**blocks)


def heaviest(slope: float, blocks: int, believes: str) -> float:
    """The length of the paths that carry most of the gradient, as this reader computes it."""
    weight = {"direct": 0.0, "counted": 1.0}.get(believes, slope)
    return float(max(range(blocks + 1), key=lambda length: math.comb(blocks, length) * weight**length))


def without_plus_signs(slope: float, blocks: int, believes: str) -> float:
    return {"direct": 0.0, "counted": 0.5**blocks}.get(believes, slope**blocks)


COMPUTED = {
    "A-sum": lambda believes: gradient(0.5, 4, believes),
    "B-sum": lambda believes: paths(10, believes),
    "A-guarantee": lambda believes: gradient(-0.5, 10, believes),
    "A-paths": lambda believes: heaviest(0.25, 40, believes),
    "B-cut": lambda believes: without_plus_signs(0.25, 10, believes),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_whoever_computes_chooses_what_the_item_expects(name: str) -> None:
    item = INVENTORY.items[name]
    for option in item.options:
        computed = COMPUTED[name](option.believes)
        nearest = min(item.options, key=lambda candidate: abs(value(candidate.text) - computed))
        assert nearest is option, (option.text, computed)


def test_the_numbers_of_the_words_are_those_of_the_items() -> None:
    assert "0.5" in INVENTORY.items["A-sum"].question
    assert "Four" in INVENTORY.items["A-sum"].question
    assert "−0.5" in INVENTORY.items["A-guarantee"].question
    assert {"40", "0.25"} <= set(re.findall(r"[\d.]*\d", INVENTORY.items["A-paths"].question))
    assert "0.25" in INVENTORY.items["B-cut"].question


# -- the words ---------------------------------------------------------------------------------------------------------


def place(item: Item) -> tuple[int, int]:
    """Where the words that answer an item begin and end in their page. Fails if they are not there."""
    text = " ".join(FILES[item.at].read_text(encoding="utf-8").split())
    assert item.words in text, f"{item.id}: {item.at} does not say “{item.words}”"
    start = text.index(item.words)
    return start, start + len(item.words)


def test_no_two_items_are_answered_by_the_same_words() -> None:
    for one, other in combinations(INVENTORY.items.values(), 2):
        (start, end), (begin, stop) = place(one), place(other)
        assert one.at != other.at or end <= begin or stop <= start, (one.id, other.id)


def test_three_items_of_each_form_are_about_an_architecture_that_no_page_shows() -> None:
    shown = " ".join(
        path.read_text(encoding="utf-8").lower()
        for path in (*FILES.values(), CONTENT / "claims.yaml", CONTENT / "glossary.yaml")
    )
    transfer = [item for item in INVENTORY.items.values() if item.transfer]
    assert Counter(item.form for item in transfer) == dict.fromkeys(FORMS, 3)
    for item in transfer:
        assert item.transfer in item.question.lower()
        assert item.transfer not in shown


def test_every_misconception_is_documented() -> None:
    cards = claims.read(CONTENT / "claims.yaml").cards
    for misconception in INVENTORY.misconceptions.values():
        assert misconception.says.endswith(".")
        assert bool(misconception.card) != bool(misconception.page)
        if misconception.card:
            assert misconception.card in cards
        else:
            assert exists(misconception.page), misconception.page


def exists(address: str) -> bool:
    """Whether a page has a section, or an exercise or figure, with this id."""
    slug, _hash, anchor = address.partition("#")
    text = FILES[slug].read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    headings = {re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") for title in sections}
    return anchor in headings or bool(re.search(rf"^:+\{{\w+\}} {anchor}\b", text, re.MULTILINE))


def test_what_is_not_known_leads_to_a_section() -> None:
    for concept in INVENTORY.concepts.values():
        assert exists(concept.read), concept.read


@pytest.mark.parametrize("form", FORMS)
def test_the_right_option_cannot_be_guessed_by_its_place_or_length(form: str) -> None:
    items = INVENTORY.form(form)
    places = Counter(chosen(item, KNOWS) for item in items)
    assert max(places.values()) <= 6
    assert min(places[place] for place in range(3)) >= 2
    longest = [item for item in items if max(item.options, key=lambda option: len(option.text)).right]
    assert len(longest) <= 7


# -- mistakes in the file ----------------------------------------------------------------------------------------------

WHOLE = """
concepts: [{id: c, name: n, learned: l, read: a}]
misconceptions: [{id: m, says: s, card: A-01}]
items:
- {concept: c, form: A, question: q, because: b, at: a, words: w,
   options: [{text: t, right: true}, {text: u, believes: m}]}
- {concept: c, form: B, question: q, because: b, at: a, words: w,
   options: [{text: t, right: true}, {text: u, believes: m}]}
"""


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("form: B", "form: A", "two items about c"),
        ("form: B", "form: C", "a form, A or B"),
        ("right: true}, {text: u, believes: m}", "believes: m}", "exactly one option"),
        ("believes: m", "believes: x", "no misconception 'x'"),
        ("believes: m", "believes: m, right: true", "either right"),
        (
            "{id: c, name: n, learned: l, read: a}",
            "{id: c, name: n, learned: l, read: a}, {id: d, name: n, learned: l, read: a}",
            "no item A-d, B-d",
        ),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    (tmp_path / "inventory.yaml").write_text(WHOLE.replace(old, new))
    with pytest.raises(BuildError, match=complaint):
        concepts.read(tmp_path / "inventory.yaml")
