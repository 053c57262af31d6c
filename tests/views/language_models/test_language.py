"""Two pages of text and two curves."""

from app.views.language_models.language import COLUMNS, LINES, LanguageView
from sims.simulations.language_models.language import KINDS, Language


def test_a_page_holds_the_first_words_and_what_follows_them():
    training = Language(blocks=1, moment=0, training_steps=300)
    frame = training.frame(training.start())
    view = LanguageView(training)
    view.figures()
    view.update(frame)
    for kind in KINDS:
        prompts, lines = (source[kind].data["text"] for source in (view._prompts, view._texts))
        assert prompts == [training.prompt.strip(), *[""] * (len(lines) - 1)]
        assert lines[0].startswith(" " * len(prompts[0]))
        assert all(len(line) <= COLUMNS for line in lines)
        assert len(lines) <= LINES
        text = "".join(prompts + lines).replace(" ", "")
        expected = "".join(f"{training.prompt}{frame.results[f'{kind}_text']}".split())
        assert expected.startswith(text)
        assert view._losses.source.data[kind].tolist() == frame[f"{kind}_loss"].tolist()
    assert view._read.data["x"] == [0, 0]


def test_first_words_may_be_longer_than_a_line():
    training = Language(blocks=1, moment=0, training_steps=300, prompt=f"{'a' * COLUMNS} c")
    view = LanguageView(training)
    view.figures()
    view._write("with", "d efg")
    assert view._prompts["with"].data["text"] == ["a" * COLUMNS, "c"]
    assert view._texts["with"].data["text"] == [" " * COLUMNS, " d efg"]
