"""The order in which a reader meets things: no answer above its question, no claim checked before it is judged."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from app.pages.files.sources import HOME
from app.pages.text import located_yaml
from app.pages.text.located_yaml import LocatedStr
from tests.site import CHAPTERS, site

HELD = (HOME, *CHAPTERS)
"""The pages that are held to this order."""

MOST_CARDS = 4

OTHER_TABLE = ":::{predict} p-reuse\n"
"""How a prediction begins that the table below it does not answer"""

TOLD_NOWHERE = {
    "gradient-paths": ["p-direct"],
    "landscape": ["p-random"],
    "recipes": ["p-disputed"],
    "scaling": ["p-alpha"],
    "backward": ["p-copy"],
    "costs": ["p-everywhere"],
    "history": ["p-order"],
    "after-2024": ["p-beta"],
    "x-ray": ["p-illness"],
    "experiment": ["p-1202"],
}
"""Predictions in figures that have no covered text below, because the text there says nothing about the answer."""

OPENING = re.compile(r"^(#{2,3} |:{3,}\{fold\} )(.+)$", re.MULTILINE)
PREDICTION = re.compile(r"^(:{3,})\{predict\} [\w-]+\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
TELLS = re.compile(r"\b(is|are|was|has|have|does|do|not|no|never|always|only|almost|cannot|without)\b", re.IGNORECASE)
ASKS = re.compile(r"^(so )?(what|where|when|which|who|why|how|can|does|is)\b", re.IGNORECASE)
held = pytest.mark.parametrize("slug", HELD)


def words(text: str) -> set[str]:
    """The words of a text that say something: six letters or more, in lower case."""
    return set(re.findall(r"[a-z]{6,}", text.lower()))


def titles(text: str) -> list[str]:
    """The headings of a page and the titles of its folds."""
    return [title for _mark, title in OPENING.findall(text)]


def choices(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The predictions of a page that offer a choice, each with the place where it stands."""
    for match in PREDICTION.finditer(text):
        prediction = located_yaml.load(LocatedStr(match[2]).at(1), 1)
        if prediction["type"] == "choice":
            yield match.start(), prediction


def giveaways(prediction: dict[str, Any]) -> set[str]:
    """The words of the right option that neither the question nor another option has."""
    options = [str(option) for option in prediction["options"]]
    right = options.pop(prediction["answer"] - 1)
    return words(right) - words(" ".join([str(prediction["question"]), *options]))


def spoilers(text: str, lede: str) -> list[str]:
    """What a reader sees before a prediction, and has a word that only its right option has: the lede, the sections,
    which the contents list shows, and the headings and titles of folds above it."""
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    lines = []
    for place, prediction in choices(text):
        hints = giveaways(prediction)
        lines += [line for line in {lede, *sections, *titles(text[:place])} if words(line) & hints]
    return sorted(lines)


def assertions(text: str) -> list[str]:
    """Headings and titles of folds that tell what the reader is about to find out."""
    return [title for title in titles(text) if TELLS.search(title) and not ASKS.match(title)]


def late_cards(text: str) -> list[str]:
    """Cards that do not open their section or fold."""
    lines = [line for line in text.splitlines() if line]
    cards = [
        (index, match[1]) for index, line in enumerate(lines) if (match := re.match(r":{3,}\{claim\} (\S+)", line))
    ]
    return [claim for index, claim in cards if not OPENING.match(lines[index - 1])]


def bare_tables(text: str) -> list[str]:
    """Tables of results that are the next thing below a prediction, and do not wait for its answer."""
    places = (match.end() for match in PREDICTION.finditer(text) if not match[0].startswith(OTHER_TABLE))
    below = (re.search(r"^:{3,}\{(\w+)\}.*$", text[place:], re.MULTILINE) for place in places)
    return [match[0] for match in below if match and match[1] in ("results", "forest")]


def uncovered(text: str) -> list[str]:
    """The predictions in figures for whose answer no text waits, up to the next heading, figure or prediction."""
    violations = []
    for figure in re.finditer(r"^covered: (\S+)\n(?:(?!:::).*\n)*:::+\n", text, re.MULTILINE):
        below = re.split(
            r"^(?:#|:::+\{(?:simulation|predict)\})", text[figure.end() :], maxsplit=1, flags=re.MULTILINE
        )[0]
        if not re.search(rf"^:::+\{{covered\}}.* {figure[1]}\b", below, re.MULTILINE):
            violations.append(figure[1])
    return violations


def source(slug: str) -> str:
    return site().files[slug].read_text(encoding="utf-8")


@held
def test_no_heading_and_no_lede_has_the_words_of_an_answer(slug: str) -> None:
    assert spoilers(source(slug), str(site().meta[slug]["lede"])) == []


@held
def test_a_heading_names_or_asks_and_does_not_tell(slug: str) -> None:
    assert assertions(source(slug)) == []


@pytest.mark.parametrize("slug", [*HELD, "field"])
def test_a_table_of_results_waits_for_the_prediction_above_it(slug: str) -> None:
    assert bare_tables(source(slug)) == []


@pytest.mark.parametrize("slug", [*HELD, "field"])
def test_what_a_figure_showed_is_told_after_its_prediction(slug: str) -> None:
    assert uncovered(source(slug)) == TOLD_NOWHERE.get(slug, [])


@held
def test_a_page_has_few_cards_and_each_opens_its_part(slug: str) -> None:
    """On the home page the cards are together, and nothing before them answers them."""
    text = source(slug)
    assert len(site().page(slug).claims) <= MOST_CARDS
    if slug != HOME:
        assert late_cards(text) == [], "a claim comes directly under the heading of its part"


@held
def test_a_statement_is_judged_on_one_page(slug: str) -> None:
    """Handouts print statements for groups that judge them."""
    counter = Counter(claim for file in site().files if file != "handouts" for claim in site().page(file).claims)
    assert [claim for claim in site().page(slug).claims if counter[claim] > 1] == []


QUESTION = """\
:::{predict} p
type: choice
question: What becomes of it?
options: [it vanishes, it explodes]
answer: 2
because: B
:::
"""


def test_a_heading_a_fold_or_a_lede_that_gives_the_answer_away_is_found() -> None:
    folded = "::::{fold} Why it explodes\nText.\n::::\n\n"
    assert spoilers(f"{folded}{QUESTION}\n## It explodes\n", "It explodes!") == [
        "It explodes",
        "It explodes!",
        "Why it explodes",
    ]
    assert spoilers(f"## It\n\n{QUESTION}\n{folded}", "It vanishes or becomes something.") == []


def test_a_heading_that_tells_is_found() -> None:
    text = "## A norm is not a cure\n\n### Is it a cure?\n\n::::{fold} What is left\nText.\n::::\n\n## Only slow\n"
    assert assertions(text) == ["A norm is not a cure", "Only slow"]


def test_a_table_that_does_not_wait_is_found() -> None:
    table = ":::{results} A table\nhead: []\n:::\n"
    assert bare_tables(f"{QUESTION}\nText.\n\n{table}") == [":::{results} A table"]
    assert bare_tables(f"{table}\n{QUESTION}\n::::{{covered}} p\n{table}::::\n") == []


def test_a_card_behind_its_answer_is_found() -> None:
    early = "## One\n\n:::{claim} A-01\n:::\n\nText.\n\n::::{fold} Two\n\n:::{claim} A-02\n:::\n\nText.\n::::\n"
    assert late_cards(early) == []
    assert late_cards(early + "\nSo it is false.\n\n:::{claim} A-03\n:::\n") == ["A-03"]


def test_a_text_that_does_not_wait_is_found() -> None:
    figure = f"{QUESTION}\n:::{{simulation}} toy\ndepth: 8\ncovered: p\n:::\n\n"
    assert uncovered(f"{figure}It vanishes.\n\n## Next\n\n::::{{covered}} p\nIt vanishes.\n::::\n") == ["p"]
    assert uncovered(f"{figure}Look.\n\n::::{{covered}} p\nIt vanishes.\n::::\n") == []
