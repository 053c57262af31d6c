"""What is remembered of Bokeh's properties is what Bokeh would answer, and pictures come out the same."""

import json
import os
import re
import subprocess
import sys
from subprocess import PIPE
from typing import Any

import pytest
from bokeh.document import Document
from bokeh.model import Model
from bokeh.models.glyphs import Text

import app.bokeh_internals.bokeh_patches as quick
from app.live.session import Session
from app.pages.document.figure_placement import FigurePlacement
from app.pictures.base.figures import empty, plot
from app.prerender import picture
from sims import registry


def kinds() -> list[type[Model]]:
    """Every kind of model that there is."""
    classes, ahead = [], [Model]
    while ahead:
        kind = ahead.pop()
        classes.append(kind)
        ahead += kind.__subclasses__()
    return classes


def test_overridden_defaults_are_those_of_bokeh() -> None:
    assert len(kinds()) > 300
    for kind in kinds():
        assert kind._overridden_defaults() == quick._overridden(kind)


def test_so_is_whether_a_default_is_made_anew_each_time() -> None:
    checks = 0
    for kind in kinds():
        for name in kind.properties():
            prop = kind.lookup(name).property
            if type(prop)._may_have_unstable_default is quick._unstable_once:
                checks += 1
                assert prop._may_have_unstable_default() == quick._unstable(prop) == prop._may_have_unstable_default()
    assert checks > 1_000


def test_a_default_that_is_made_anew_is_nobody_elses() -> None:
    one, other = Text(), Text()
    one.tags.append("mine")
    assert other.tags == []


def bokehs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bokeh as it came, except that glyphs have no looks for what is selected or muted."""
    for whose, name, value in quick.BOKEHS:
        if name != "pop_visuals":
            monkeypatch.setattr(whose, name, value)


def unnumbered(content: Any) -> str:
    """As JSON, without the numbers that Bokeh and Panel give as they go in a process."""
    return re.sub(r"(\"p|[A-Za-z])\d{4,}\"", r"\1\"", json.dumps(content))


def drawn(name: str) -> str:
    """A picture, as JSON."""
    return unnumbered(picture.drawn(FigurePlacement("here", name, {})))


@pytest.mark.parametrize("name", ["arena", "dataflow", "explorer", "insert_identity", "landscape"])
def test_a_picture_is_the_one_that_bokeh_would_make(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = drawn(name)
    bokehs_own(monkeypatch)
    assert ours == drawn(name)


def test_a_document_finds_the_models_that_bokeh_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    def model_ids() -> set[str]:
        document = Document()
        for model in Session(document, "arena", registry.find("arena")(), place="here").models:
            document.add_root(model)
        return {root.id for root in document.models}

    ours = model_ids()
    bokehs_own(monkeypatch)
    assert ours == model_ids()


def test_a_glyph_has_one_look() -> None:
    line = plot("A title", "x", "y").line("x", "y", source=empty("x", "y"), line_alpha=0.5)
    assert line.glyph.line_alpha == 0.5
    assert (line.nonselection_glyph, line.muted_glyph, line.selection_glyph) == ("auto", "auto", "auto")


UNSEEN = ("nonselection_glyph", "muted_glyph")
"""What plain Bokeh makes for every glyph, and no picture shows"""

PRINTED = """
import json, sys
from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture
for name in sys.argv[1:]:
    print(json.dumps(picture.drawn(FigurePlacement("here", name, {}))["document"]))
"""


def printed(names: list[str], plain: str) -> list[Any]:
    """Pictures that a process of its own makes, as JSON."""
    environment = {**os.environ, "SKIP_PLAIN_BOKEH": plain, "PYTHONHASHSEED": "0"}  # some properties are sets
    process = subprocess.run(
        [sys.executable, "-c", PRINTED, *names], env=environment, stdout=PIPE, check=True, text=True
    )
    return [json.loads(line) for line in process.stdout.splitlines()]


def spelled_out(document: Any) -> Any:
    """A document with its models in the places of their ids, and without the glyphs for what is selected or muted."""
    models: dict[str, Any] = {}

    def collect(content: Any) -> None:
        if isinstance(content, dict) and content.get("type") == "object":
            models[content["id"]] = content
        for inner in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
            collect(inner)

    def spell(node: Any, within: tuple[str, ...]) -> Any:
        if isinstance(node, list):
            return [spell(inner, within) for inner in node]
        if not isinstance(node, dict):
            return node
        if node.keys() == {"id"}:
            return spell(models[node["id"]], within) if node["id"] in models and node["id"] not in within else "above"
        if node.get("type") == "object":
            within = (*within, node["id"])
            node = {key: value for key, value in node.items() if key != "id"}
        return {key: spell(value, within) for key, value in node.items() if key not in UNSEEN}

    collect(document)
    return spell(document["roots"], ())


@pytest.mark.exhaustive
def test_a_picture_is_that_of_plain_bokeh_but_for_what_is_selected_or_muted() -> None:
    names = ["arena", "corrections", "degradation", "explorer", "last_op", "published"]
    ours, plain = printed(names, ""), printed(names, "1")
    for name, mine, its in zip(names, ours, plain, strict=True):
        assert json.dumps(its) != json.dumps(mine), name
        assert unnumbered(spelled_out(mine)) == unnumbered(spelled_out(its)), name
