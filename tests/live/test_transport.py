"""The bar: one of Train and Pause is offered, and a press means what its button says, whenever it arrives."""

from typing import Any

import panel as pn
import pytest
from bokeh.document import Document

from app.live.session import Session
from app.runs.jobs import Status
from sims.contract.frame import Frame
from sims.simulations.insert_identity import InsertIdentity


class RunSpy:
    """Takes note of what a run is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.playing = False

    def play(self) -> None:
        self.told.append("play")
        self.playing = True

    def pause(self) -> None:
        self.told.append("pause")
        self.playing = False


Bar = dict[str, pn.widgets.Button]


@pytest.fixture
def driven() -> tuple[Session, RunSpy, Bar]:
    made = Session(Document(), "insert_identity", InsertIdentity(), [])
    made.layout()
    run = RunSpy()
    made.run = run  # type: ignore[assignment]
    assert made.transport
    return made, run, {each.label: each for each in made.transport.layout().select(pn.widgets.Button)}


def press(button: pn.widgets.Button) -> None:
    button.clicks += 1


def offered(bar: Bar) -> list[str]:
    return [name for name in ("Train", "Pause") if bar[name].visible]


def test_one_of_train_and_pause_is_offered(driven: tuple[Session, RunSpy, Bar]) -> None:
    _made, _run, bar = driven
    assert offered(bar) == ["Train"]
    press(bar["Train"])
    assert offered(bar) == ["Pause"]
    press(bar["Pause"])
    assert offered(bar) == ["Train"]


def test_a_press_means_what_was_read_however_late_it_comes(driven: tuple[Session, RunSpy, Bar]) -> None:
    _made, run, bar = driven
    for label in ("Train", "Train", "Pause", "Pause", "Train"):
        press(bar[label])
    assert run.told == ["play", "play", "pause", "pause", "play"]


def test_the_button_that_comes_is_there_before_the_other_one_goes(driven: tuple[Session, RunSpy, Bar]) -> None:
    """Or else there is none to take the focus."""
    _made, _run, bar = driven
    seen: list[list[str]] = []

    def look(_event: Any) -> None:
        seen.append(offered(bar))

    for name in ("Train", "Pause"):
        bar[name].param.watch(look, "visible")
    press(bar["Train"])
    press(bar["Pause"])
    assert seen == [["Train", "Pause"], ["Pause"], ["Train", "Pause"], ["Train"]]


def test_a_finished_run_offers_neither_pause_nor_training(driven: tuple[Session, RunSpy, Bar]) -> None:
    made, run, bar = driven
    run.playing = True
    assert made.transport
    made.transport.show(Status("finished"), Frame({}, step=5, steps=5))
    assert offered(bar) == ["Train"]
    assert bar["Train"].disabled
    assert bar["Step"].disabled
