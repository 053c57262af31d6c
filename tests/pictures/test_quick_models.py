"""What is remembered of Bokeh's properties is what Bokeh would answer, and pictures come out the same."""

import json
import re

import pytest
from bokeh.document import Document
from bokeh.model import Model
from bokeh.models.glyphs import Text

import app.pictures.quick_models as quick
from app.live.session import Session
from app.pages.place import Place
from app.pictures.figures import empty, plot
from app.shelf import picture
from sims import registry


def kinds() -> list[type[Model]]:
    """Every kind of model that there is."""
    found, ahead = [], [Model]
    while ahead:
        kind = ahead.pop()
        found.append(kind)
        ahead += kind.__subclasses__()
    return found


def test_overridden_defaults_are_those_of_bokeh() -> None:
    assert len(kinds()) > 300
    for kind in kinds():
        assert kind._overridden_defaults() == quick._overridden(kind)


def test_so_is_whether_a_default_is_made_anew_each_time() -> None:
    asked = 0
    for kind in kinds():
        for name in kind.properties():
            each = kind.lookup(name).property
            if type(each)._may_have_unstable_default is quick._unstable_once:
                asked += 1
                assert each._may_have_unstable_default() == quick._unstable(each) == each._may_have_unstable_default()
    assert asked > 1_000


def test_a_default_that_is_made_anew_is_nobody_elses() -> None:
    one, other = Text(), Text()
    one.tags.append("mine")
    assert other.tags == []


def bokehs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bokeh as it came, except that glyphs have no looks for what is selected or muted."""
    for whose, name, value in quick.BOKEHS:
        if name != "pop_visuals":
            monkeypatch.setattr(whose, name, value)


def drawn(name: str) -> str:
    """A picture; of what Bokeh and Panel number as they go in a process, the numbers are left out."""
    return re.sub(r"(\"p|[A-Za-z])\d{4,}\"", r"\1\"", json.dumps(picture.drawn(Place("here", name, {}))))


@pytest.mark.parametrize("name", ["arena", "dataflow", "explorer", "insert_identity", "landscape"])
def test_a_picture_is_the_one_that_bokeh_would_make(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = drawn(name)
    bokehs_own(monkeypatch)
    assert ours == drawn(name)


def test_a_document_finds_the_models_that_bokeh_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> set[str]:
        document = Document()
        for model in Session(document, "arena", registry.find("arena")(), place="here").models:
            document.add_root(model)
        return {each.id for each in document.models}

    ours = found()
    bokehs_own(monkeypatch)
    assert ours == found()


def test_a_glyph_has_one_look() -> None:
    line = plot("A title", "x", "y").line("x", "y", source=empty("x", "y"), line_alpha=0.5)
    assert line.glyph.line_alpha == 0.5
    assert (line.nonselection_glyph, line.muted_glyph, line.selection_glyph) == ("auto", "auto", "auto")
