"""Where the parts of a figure are: one menu holds what a reader needs less often."""

from typing import Any

import panel as pn
import pytest
from bokeh.document import Document

from app.live.layout import layout
from app.live.session import Session
from sims import registry
from sims.contract.simulation import Training


def laid_out(name: str) -> pn.Column:
    return layout(Session(Document(), name, registry.find(name)()))


def tagged(column: pn.Column, kind: str) -> dict[str, Any]:
    """Value of the tag → the widget or column that has it."""
    return {tag[kind]: part for part in column.select() for tag in part.tags if isinstance(tag, dict) and kind in tag}


@pytest.mark.parametrize("name", registry.names())
def test_a_figure_shows_its_everyday_controls_and_one_button_more(name: str) -> None:
    column, kind = laid_out(name), registry.find(name)
    folds = tagged(column, "fold")
    menu = next((folds[fold] for fold in ("menu", "measures") if fold in folds), None)
    hidden = menu.select() if menu else []
    shown = [part for part in column.select() if part not in hidden]
    assert sum(any("opens" in tag for tag in part.tags if isinstance(tag, dict)) for part in shown) == bool(menu)
    for control, part in tagged(column, "control").items():
        assert (part in hidden) == ((kind.param[control].precedence or 0) >= 1)
    everyday = [part for part in tagged(column, "control").values() if part not in hidden]
    assert len(everyday) <= 2 or name == "which_block"  # it asks six questions
    actions = tagged(column, "does")
    assert {action for action, part in actions.items() if part in shown} == (
        {"play", "pause"} if issubclass(kind, Training) else set()
    )


def test_measures_need_no_menu_if_there_is_nothing_else_in_it() -> None:
    assert list(tagged(laid_out("scripted_surface"), "opens")) == ["measures"]


def test_the_menu_is_at_the_end_of_the_bar() -> None:
    column = laid_out("degradation")
    bar = next(part for part in column.select() if "transport" in part.css_classes)
    assert list(tagged(bar, "opens")) == ["menu"]


def test_the_controls_of_a_training_are_in_the_row_of_its_bar() -> None:
    bar = next(part for part in laid_out("degradation").select() if "transport" in part.css_classes)
    assert list(tagged(bar, "control")) == ["depth", "norm"]
