"""The bar and the buttons of its menu say what they do by tags, and a training has its own word."""

from typing import Any

import panel as pn

from app.live.transport import steps, transport
from sims.simulations.depth.insert_identity import InsertIdentity


def does(bar: pn.Column) -> dict[str, Any]:
    """What a widget of the bar does → the widget."""
    widgets = [*bar.select(pn.widgets.Button), *bar.select(pn.widgets.Select)]
    return {tag["does"]: widget for widget in widgets for tag in widget.tags}


def test_the_bar_has_train_and_pause_and_everything_else_is_in_the_menu() -> None:
    buttons = does(transport("Train"))
    assert list(buttons) == ["play", "pause"]
    assert (buttons["play"].label, buttons["pause"].label) == ("Train", "Pause")
    assert list(does(steps(InsertIdentity()))) == ["step", "restart", "seed", "end", "speed"]


def test_before_a_run_there_is_nothing_to_pause_and_no_end() -> None:
    buttons = does(transport("Train")) | does(steps(InsertIdentity()))
    assert {name for name, button in buttons.items() if not button.visible} == {"pause", "end"}


def test_what_trains_nothing_has_another_word() -> None:
    assert does(transport("Measure"))["play"].label == "Measure"
