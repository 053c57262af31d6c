"""Connects the widgets of a figure in Python, as `static/figure/controls.js` does on a page.

Both use the tags that `app.live.controls` and `app.live.transport` give to the widgets.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import panel as pn

from app.pages.files import assets
from app.pictures.base.theme import LIGHT, MONO, SANS
from sims.contract.parameters import to_text

ENDED = ("finished", "diverged", "failed")
"""States of a run that has no next step"""

SPEED_WIDTH = 124
"""Pixels"""


def sheet() -> str:
    """The style sheet of the widgets, with the colors of the light theme: there is no page around them to provide
    these."""
    colors = "".join(f"--{name}:{color};" for name, color in LIGHT.items())
    rules = (assets.FOLDER / assets.WIDGETS).read_text(encoding="utf-8")
    return f":host{{{colors}--sans:{SANS};--mono:{MONO}}}\n{rules}"


class Controls:
    """Forwards what the reader does with the widgets of a layout, and shows the result in them.

    `wish(name, value)` sets a parameter; `act(action, more)` presses a button of the bar.
    """

    def __init__(
        self, layout: pn.Column, wish: Callable[[str, Any], None], act: Callable[[str, Mapping[str, Any]], None]
    ) -> None:
        self._showing = False
        self._controls: dict[str, pn.widgets.Widget] = {}
        self._buttons: dict[str, pn.widgets.Widget] = {}
        folds = {tag["fold"]: control for control, tag in _tagged(layout, "fold")}
        for control, tag in _tagged(layout, "control"):
            self._controls[tag["control"]] = control
            control.param.watch(self._hand_over(tag["control"], control, wish), "value")
        for control, tag in _tagged(layout, "does"):
            self._buttons[tag["does"]] = control
            if tag["does"] == "speed":
                # The letters may be any that this machine has, and wider than those of the site.
                control.width, control.styles = SPEED_WIDTH, {**control.styles, "width": f"{SPEED_WIDTH}px"}
                control.param.watch(lambda event: act("speed", {"share": event.new}), "value")
            else:
                control.on_click(lambda _event, action=tag["does"]: act(action, {}))
        for control, tag in _tagged(layout, "opens"):
            control.link(folds[tag["opens"]], value="visible")
        for control in (*layout.select(pn.widgets.Widget), *layout.select(pn.pane.Str)):
            control.stylesheets = [sheet()]

    def _hand_over(self, name: str, widget: pn.widgets.Widget, wish: Callable[[str, Any], None]) -> Callable[..., None]:
        def changed(_event: object) -> None:
            if not self._showing:
                stops = list(_stops(widget))
                wish(name, stops[widget.value] if stops else widget.value)

        return changed

    def show(self, state: Mapping[str, Any]) -> None:
        """Show the values of a picture, and enable the buttons that apply now."""
        self._showing = True
        try:
            for name, widget in self._controls.items():
                _put(widget, state["values"][name])
        finally:
            self._showing = False
        if "play" in self._buttons:
            over = state["status"] in ENDED and not state["kept"] and not state["message"]
            self._buttons["play"].visible = not state["playing"]
            self._buttons["pause"].visible = state["playing"]
            self._buttons["end"].visible = state["end"] and state.get("step", 0) < state.get("steps", 1)
            for name in ("play", "step"):
                self._buttons[name].disabled = over


def _tagged(layout: pn.Column, kind: str) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    for control in layout.select():
        for tag in control.tags:
            if isinstance(tag, dict) and kind in tag:
                yield control, tag


def _stops(widget: pn.widgets.Widget) -> dict[str, str]:
    """Text of each value of a slider that moves by index → its label; empty for a slider with plain numbers."""
    return {text: words for tag in widget.tags if tag.get("stops") for text, words in tag["options"]}


def _put(widget: pn.widgets.Widget, text: str) -> None:
    """Show a value, given as the text for a URL."""
    stops, now = _stops(widget), widget.value
    if stops:
        widget.value = list(stops).index(text)
        widget.label = f"{widget.label.partition(': ')[0]}: {stops[text]}"
    elif isinstance(now, bool):
        widget.value = text == "yes"
    elif isinstance(now, str):
        widget.value = text
    elif to_text(now) != text:
        widget.value = type(now)(float(text))
