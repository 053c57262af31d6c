"""Two typewriters on two kinds of screens, and two curves."""

import pytest

from app.views.language_models.language import NO_NUMBER, PAPERS, LanguageView, words_of
from sims.data import own_words
from sims.simulations.language_models.language import KINDS, Language


@pytest.fixture(scope="module")
def shown():
    training = Language(blocks=1, moment=0, training_steps=300)
    frame = training.frame(training.start())
    view = LanguageView(training)
    view.figures()
    view.update(frame)
    return training, view, frame


@pytest.mark.parametrize("screen", PAPERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_holds_the_first_words_and_what_follows_them(shown, screen, kind):
    training, view, frame = shown
    page, paper = view._pages[screen][kind], PAPERS[screen]
    assert page.prompt.data["text"] == [word + NO_NUMBER for word in training.prompt.split()]
    written = page.written.source.data
    texts = [text.removesuffix(NO_NUMBER) for text in written["text"]]
    pieces = [*training.prompt.split(), *texts]
    expected = "".join(f"{training.prompt}{frame.results[f'{kind}_text']}".split())
    assert expected.startswith("".join(pieces))
    assert all(x + len(text) <= paper.columns for x, text in zip(written["x"], texts, strict=True))
    assert max(written["y"]) < paper.lines


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
            assert first == list(range(1, len(first) + 1))
            assert set(page.written.source.data["alpha"]) == {1}
        last = max(len(page.written.source.data["first"]) for page in pages.values())
        assert view._now[screen].data == {"moment": [last], "last": [last]}


def test_the_longest_text_has_room_on_both_screens():
    prompt = "a b" * 13
    for paper in PAPERS.values():
        pieces = list(words_of(prompt, " then so" * 13, paper.columns, 99))
        assert max(piece.row for piece in pieces) < paper.lines


def test_only_whole_words_of_the_learned_text_count():
    pieces = list(words_of("The skip connect", "ion of armer, (the gate) a th", 28, 6))
    assert [piece.text for piece in pieces if piece.given] == ["The", "skip", "connect"]
    assert [piece.text for piece in pieces if piece.learned] == ["of", "(the", "gate)"]
    assert [(piece.text, piece.column, piece.row) for piece in pieces][3] == ("ion", 16, 0)


def test_a_word_that_a_line_breaks_is_none():
    pieces = list(words_of("the ", "connections of it", 5, 9))
    assert [piece.text for piece in pieces if piece.learned] == ["of"]


def test_first_words_may_be_longer_than_a_line():
    pieces = list(words_of(f"{'a' * 28} c", "d efg", 28, 6))
    assert [(piece.text, piece.column, piece.row, piece.given) for piece in pieces] == [
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
