"""A picture that was made ahead is what a session would show: the same models, and the same changes to them."""

import io
import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer
from bokeh.document import Document

from app.bokeh_internals import bokeh_script
from app.bokeh_internals.messages import LIVE, REPLY
from app.live.session import Session
from app.pages.document.figure_placement import FigurePlacement
from app.prerender import picture
from sims import registry
from sims.chunks.chunk import run_chunk
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation, Training
from tests.settings import shortest
from tests.tiers import first

every = pytest.mark.parametrize("name", registry.names())
some = pytest.mark.parametrize("name", first(20, registry.names()))


def shown(simulation: Simulation) -> Frame:
    """A frame of these settings."""
    if not isinstance(simulation, Training):
        return simulation.compute()
    frame = run_chunk(type(simulation), simulation.settings(), None, 0).frame
    assert frame is not None
    return frame


def models(content: Any) -> dict[str, str]:
    """Identifier → kind of every model that is defined in a document."""
    kinds: dict[str, str] = {}
    if isinstance(content, list | tuple):
        for item in content:
            kinds |= models(item)
    elif isinstance(content, dict):
        if content.get("type") == "object":
            kinds[content["id"]] = content["name"]
        for item in content.values():
            kinds |= models(item)
    return kinds


@cache
def models_ahead(name: str) -> dict[str, str]:
    """Identifier → kind of every model in the picture of a simulation that was made ahead."""
    return models(picture.drawn(FigurePlacement("here", name, {}))["document"])


@some
def test_a_session_has_the_models_of_the_picture(name: str) -> None:
    document = Document()
    for model in Session(document, name, registry.find(name)(), place="here").models:
        document.add_root(model)
    mine = {item.id: type(item).__name__ for item in document.models}
    kinds = models_ahead(name)
    assert all(id_.startswith("here~") for id_ in mine)
    assert {id_ for id_ in kinds if id_.startswith("here~")} == mine.keys()


@some
def test_a_state_changes_models_of_the_picture_and_makes_none(name: str) -> None:
    kind = registry.find(name)
    simulation = kind(**shortest(kind)) if issubclass(kind, Training) else kind()
    placement = FigurePlacement("here", name, {})
    kinds = models_ahead(name)
    events = picture.state(placement, simulation, shown(simulation))
    json.dumps(events, allow_nan=False)
    assert {event["model"]["id"] for event in events if "model" in event} <= kinds.keys()
    assert models([event.get("new", event.get("data")) for event in events]) == {}
    live = message(events, LIVE)
    assert live["description"]
    assert not live["kept"]
    ended = picture.state(placement, simulation, replace(shown(simulation), step=1))
    assert message(ended, LIVE)["kept"]


def message(events: list[Any], kind: str) -> Any:
    """The content of the one message of a type."""
    [data] = [event["msg_data"] for event in events if event.get("msg_type") == kind]
    return Deserializer().decode(data)


def test_a_picture_has_its_settings_before_it_has_a_state() -> None:
    drawn = picture.drawn(FigurePlacement("here", "paths", {"blocks": "4"}))
    live = message(drawn["messages"], LIVE)
    assert (live["values"]["blocks"], live["asked"]) == ("4", 0)
    assert "description" not in live


def test_all_widgets_share_one_style_sheet_and_none_loads_another() -> None:
    content = json.dumps(picture.drawn(FigurePlacement("here", "degradation", {}))["document"])
    assert content.count('"name": "InlineStyleSheet"') == 1
    assert "ImportedStyleSheet" not in content
    assert "//" not in content


def test_the_states_of_an_atlas_are_all_combinations_the_nearest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = registry.find("paths")
    monkeypatch.setattr(kind, "atlas", {"blocks": (2, 3, 8), "gain": (0.3, 0.5)})
    placement = FigurePlacement("here", "paths", {"blocks": "3"})
    states = {name: (item.settings()["blocks"], item.settings()["gain"]) for name, item in picture.states(placement)}
    assert len(states) == 6
    assert states["0-0"] == (2, 0.3)
    assert states["2-1"] == (8, 0.5)
    first = next(iter(states.values()))
    assert first[0] == 3


@every
def test_an_atlas_names_existing_controls_and_values(name: str) -> None:
    kind = registry.find(name)
    count = 1
    for control, values in kind.atlas.items():
        count *= len(values)
        for value in values:
            assert getattr(kind(**{control: value}), control) == value
    assert count <= (64 if issubclass(kind, Training) else 400)


def test_downloads_are_those_of_a_session() -> None:
    simulation = registry.find("paths")()
    prepared = picture.numbers(simulation, simulation.compute())
    json.dumps(prepared, allow_nan=False)
    table, text, whole, archive = (message([prepared[kind]], REPLY) for kind in ("table", "csv", "json", "npz"))
    assert table["tables"]
    assert text["file"].endswith(".csv")
    assert json.loads(whole["content"])["quantities"]
    assert "about" in np.load(io.BytesIO(archive["content"]))


def test_a_picture_that_a_browser_could_not_draw_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    names = bokeh_script.models()
    without = next(name for name in names if name.rpartition(".")[2] == "Scatter")
    monkeypatch.setattr(picture, "models", lambda: names - {without})
    with pytest.raises(ValueError, match=r"models\.json lacks .*Scatter"):
        picture.drawn(FigurePlacement("here", "degradation", {}))
