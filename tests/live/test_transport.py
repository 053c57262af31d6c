"""The bar: its buttons say what they do by tags, Train and Pause in one place, and a training has its own word."""

from typing import Any, ClassVar

import panel as pn

from app.live.transport import transport
from sims.simulations.depth.insert_identity import InsertIdentity


def does(bar: pn.Column) -> dict[str, Any]:
    """What a widget of the bar does → the widget."""
    widgets = [*bar.select(pn.widgets.Button), *bar.select(pn.widgets.Select)]
    return {tag["does"]: widget for widget in widgets for tag in widget.tags}


def test_every_button_says_what_it_does() -> None:
    found = does(transport(InsertIdentity()))
    assert list(found) == ["play", "pause", "step", "restart", "seed", "end", "speed"]
    assert (found["play"].label, found["pause"].label) == ("Train", "Pause")


def test_before_a_run_there_is_nothing_to_pause_and_no_end() -> None:
    found = does(transport(InsertIdentity()))
    assert {name for name, each in found.items() if not each.visible} == {"pause", "end"}


def test_what_trains_nothing_has_another_word() -> None:
    class Measured(InsertIdentity):
        verb: ClassVar[str] = "Measure"

    assert does(transport(Measured()))["play"].label == "Measure"
