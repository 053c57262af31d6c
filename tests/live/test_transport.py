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
    buttons = does(transport(InsertIdentity()))
    assert list(buttons) == ["play", "pause", "step", "restart", "seed", "end", "speed"]
    assert (buttons["play"].label, buttons["pause"].label) == ("Train", "Pause")


def test_before_a_run_there_is_nothing_to_pause_and_no_end() -> None:
    buttons = does(transport(InsertIdentity()))
    assert {name for name, button in buttons.items() if not button.visible} == {"pause", "end"}


def test_what_trains_nothing_has_another_word() -> None:
    class Measured(InsertIdentity):
        verb: ClassVar[str] = "Measure"

    assert does(transport(Measured()))["play"].label == "Measure"
