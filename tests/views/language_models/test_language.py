"""Two typewriters on three kinds of screens, and two curves."""

import re
from dataclasses import replace

import numpy as np
import pytest

from app.pictures.base.screens import NARROW, TABLET, WIDE
from app.views.language_models.language import NO_NUMBER, PAPERS, STRONGEST, LanguageView, words_of
from sims.contract.frame import Quantity
from sims.data import own_words
from sims.simulations.language_models.language import KINDS, Language, guessing
from tests.showing import showing


@pytest.fixture(scope="module")
def shown():
    training = Language(blocks=1, moment=0, training_steps=300)
    frame = training.frame(training.start())
    view = showing(LanguageView(training), frame)
    return training, view, frame


@pytest.mark.parametrize(
    ("ems", "screen"), [(24, NARROW), (39, NARROW), (40, TABLET), (65, TABLET), (66, WIDE), (120, WIDE)]
)
def test_a_window_shows_one_pair_of_pages(shown, ems, screen):
    _, view, _ = shown

    def hidden(queries: str) -> bool:
        tests = re.findall(r"\((min|max)-width: ([\d.]+)em\)", queries)
        return any(ems >= float(edge) if kind == "min" else ems <= float(edge) for kind, edge in tests)

    for name, pages in view._pages.items():
        assert [hidden(tag["hidden"]) for page in pages.values() for tag in page.figure.tags if "hidden" in tag] == [
            name != screen
        ] * 2


@pytest.mark.parametrize("screen", PAPERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_holds_the_first_words_and_what_follows_them(shown, screen, kind):
    training, view, frame = shown
    page, paper = view._pages[screen][kind], PAPERS[screen]
    prompt = "".join(training.prompt.split())
    assert page.prompt.data["text"] == [letter + NO_NUMBER for letter in prompt]
    written = page.written.source.data
    letters = [text.removesuffix(NO_NUMBER) for text in written["text"]]
    expected = "".join(f"{training.prompt}{frame.results[f'{kind}_text']}".split())
    assert expected.startswith(prompt + "".join(letters))
    places = list(zip(written["y"], written["x"], strict=True))
    assert places == sorted(set(places))
    assert max(written["x"]) < paper.columns
    assert max(written["y"]) < paper.lines


def test_a_letter_has_a_stronger_shade_the_more_it_surprised(shown):
    _training, view, frame = shown
    count = frame["with_surprise"].shape[1]
    text = "ab " * count
    surprises = [0.0, float(guessing()), 1.0, *[99.0] * (count - 3)]
    changed = Quantity(np.array([surprises]), "", "nats", ("record", "place"))
    view.update(
        replace(
            frame,
            quantities={**frame.quantities, "with_surprise": changed},
            results={**frame.results, "with_text": text[:count]},
        )
    )
    for pages in view._pages.values():
        page = pages["with"]
        alpha, places = page.shades.source.data["alpha"], page.shades.source.data["x"]
        assert alpha[:3] == pytest.approx([0, STRONGEST, STRONGEST])
        assert max(alpha) == pytest.approx(STRONGEST)
        assert [x - 0.5 for x in places] == page.written.source.data["x"]
        assert page.shades.source.data["first"] == page.written.source.data["first"]
    view.update(frame)


def test_the_losses_are_below(shown):
    _training, view, frame = shown
    for kind in KINDS:
        assert view._losses.source.data[kind].tolist() == frame[f"{kind}_loss"].tolist()
    assert view._read.data["x"] == [0, 0]


def test_both_write_at_once_one_word_a_moment_until_the_longer_text_ends(shown):
    _training, view, _frame = shown
    for screen, pages in view._pages.items():
        for page in pages.values():
            first = page.written.source.data["first"]
            assert first == sorted(first)
            assert {*first} == {*range(1, first[-1] + 1)}
        last = max(page.written.source.data["first"][-1] for page in pages.values())
        assert view._now[screen].data == {"moment": [last], "last": [last]}


def test_the_longest_text_has_room_on_both_screens():
    prompt = "a b" * 13
    for paper in PAPERS.values():
        pieces = list(words_of(prompt, " then so" * 13, [1.0] * 104, paper.columns, 99))
        assert max(piece.row for piece in pieces) < paper.lines


def test_only_whole_words_of_the_learned_text_count():
    text = "ion of armer, (the gate) a th"
    pieces = list(words_of("The skip connect", text, [0.01 * place for place in range(len(text))], 28, 6))
    assert [piece.text for piece in pieces if piece.is_prompt] == ["The", "skip", "connect"]
    assert [piece.text for piece in pieces if piece.learned] == ["of", "(the", "gate)"]
    assert [(piece.text, piece.column, piece.row) for piece in pieces][3] == ("ion", 16, 0)
    assert pieces[3].surprises == (0.0, 0.01, 0.02)
    assert pieces[4].surprises == (0.04, 0.05)
    assert pieces[0].surprises == ()


def test_a_word_that_a_line_breaks_is_none():
    pieces = list(words_of("the ", "connections of it", [1.0] * 17, 5, 9))
    assert [piece.text for piece in pieces if piece.learned] == ["of"]


def test_first_words_may_be_longer_than_a_line():
    pieces = list(words_of(f"{'a' * 28} c", "d efg", [1.0] * 5, 28, 6))
    assert [(piece.text, piece.column, piece.row, piece.is_prompt) for piece in pieces] == [
        ("a" * 28, 0, 0, True),
        ("c", 0, 1, True),
        ("d", 1, 1, False),
        ("efg", 3, 1, False),
    ]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("the", True), ("(the", True), ("the.", True), ("a", False), ("gradiengs", False), ("", False)],
)
def test_a_learned_word_is_in_the_text(word, expected):
    assert own_words.is_learned(word) is expected
