"""Two pages of text and two curves."""

from app.views.language import COLUMNS, LINES, LanguageView
from sims.simulations.language import KINDS, Language


def test_a_page_holds_the_first_words_and_what_follows_them():
    training = Language(blocks=1, moment=0, training_steps=300)
    frame = training.frame(training.start())
    view = LanguageView(training)
    view.figures()
    view.update(frame)
    for kind in KINDS:
        prompt, lines = (each[kind].data["text"] for each in (view._prompts, view._texts))
        assert prompt == [training.prompt.strip()]
        assert lines[0].startswith(" " * len(prompt[0]))
        assert all(len(line) <= COLUMNS for line in lines)
        assert len(lines) <= LINES
        shown = "".join(prompt + lines).replace(" ", "")
        expected = "".join(f"{training.prompt}{frame.results[f'{kind}_text']}".split())
        assert expected.startswith(shown)
        assert view._losses.source.data[kind].tolist() == frame[f"{kind}_loss"].tolist()
    assert view._read.data["x"] == [0, 0]
