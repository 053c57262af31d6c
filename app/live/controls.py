"""Parameters → widgets. Whatever a widget sends is admitted by the declaration before it reaches a simulation."""

from collections.abc import Callable
from typing import Any

import panel as pn
import param
from panel.links import Callback
from panel.reactive import Syncable

from sims.contract.own_points import Points
from sims.contract.parameters import Stops, control_names, in_words
from sims.contract.simulation import Simulation

# Panel waits 50 ms before it looks at a slider; 8 ms gives about 58 redraws a second while dragging and no backlog.
Syncable._debounce = 8

SEGMENTS, LETTERS = 4, 24
"""A choice among as many options, with as many letters in all, or fewer is shown as buttons side by side."""

STYLES = "assets/widgets.css"


def widget(parameter: param.Parameter, value: Any) -> pn.widgets.Widget:
    """The widget for a parameter, showing `value`."""
    shared = {"label": parameter.label, "stylesheets": [STYLES], "sizing_mode": "stretch_width"}
    if isinstance(parameter, param.Boolean):
        return pn.widgets.Checkbox(value=value, **{**shared, "css_classes": ["control-check"]})
    if isinstance(parameter, Stops):
        options = {in_words(option): option for option in parameter.objects}
        slider = pn.widgets.DiscreteSlider(options=options, value=value, **shared)
        # Panel also moves the label by a script that the page's security policy forbids; the server moves it anyway.
        Callback.registry.pop(slider._slider, None)
        return slider
    if isinstance(parameter, param.Selector):
        options = dict(parameter.names) if parameter.names else {in_words(each): each for each in parameter.objects}
        if len(options) <= SEGMENTS and sum(map(len, options)) <= LETTERS:
            return pn.widgets.RadioButtonGroup(options=options, value=value, **shared)
        return pn.widgets.Select(options=options, value=value, **shared)
    if isinstance(parameter, Points):
        return pn.widgets.TextInput(value=value, **shared)
    low, high = parameter.bounds
    if isinstance(parameter, param.Integer):
        return pn.widgets.IntSlider(value=value, start=low, end=high, step=parameter.step or 1, **shared)
    return pn.widgets.FloatSlider(value=value, start=low, end=high, step=parameter.step or (high - low) / 100, **shared)


class Controls:
    """The widgets of one simulation. `changed(name, value)` is called with what the reader asks for, as it came."""

    def __init__(self, simulation: Simulation, changed: Callable[[str, Any], None]) -> None:
        self._changed = changed
        self._setting = False
        self.widgets: dict[str, pn.widgets.Widget] = {}
        for name in control_names(type(simulation)):
            parameter = simulation.param[name]
            if parameter.precedence is not None and parameter.precedence < 0:
                continue
            self.widgets[name] = each = widget(parameter, getattr(simulation, name))
            each.param.watch(lambda event, name=name: self._on_change(name, event.new), "value")

    def _on_change(self, name: str, value: Any) -> None:
        if not self._setting:
            self._changed(name, value)

    def show(self, name: str, value: Any) -> None:
        """Let a widget show a value without taking it for the reader's wish."""
        if name in self.widgets:
            self._setting = True
            try:
                self.widgets[name].value = value
            finally:
                self._setting = False

    def layout(self, simulation: Simulation) -> list[pn.viewable.Viewable]:
        """The grid of everyday controls and, where there are any, a fold with the others."""
        folded = [name for name in self.widgets if (simulation.param[name].precedence or 0) >= 1]
        everyday = [self._labeled(name, simulation) for name in self.widgets if name not in folded]
        parts: list[pn.viewable.Viewable] = []
        if everyday:
            parts.append(grid(*everyday))
        if folded:
            more = grid(*(self._labeled(name, simulation) for name in folded))
            fold = pn.Column(sizing_mode="stretch_width", stylesheets=[STYLES], margin=0)
            opener = pn.widgets.Toggle(label="More controls", stylesheets=[STYLES], css_classes=["more"], width=150)
            opener.param.watch(lambda event: setattr(fold, "objects", [more] if event.new else []), "value")
            parts += [opener, fold]
        return parts

    def _labeled(self, name: str, simulation: Simulation) -> pn.viewable.Viewable:
        each = self.widgets[name]
        if isinstance(each, pn.widgets.RadioButtonGroup):
            label = pn.pane.Str(
                simulation.param[name].label, stylesheets=[STYLES], css_classes=["group-label"], margin=0
            )
            each.margin = 0
            return pn.Column(label, each, sizing_mode="stretch_width", margin=(5, 10), stylesheets=[STYLES])
        return each


def grid(*parts: Any, least: int = 190) -> pn.Column:
    """As many columns of at least `least` pixels as fit."""
    columns = f"repeat(auto-fit, minmax(min({least}px, 100%), 1fr))"
    styles = {"display": "grid", "grid-template-columns": columns, "gap": "0.3rem 1.1rem", "align-items": "end"}
    return pn.Column(*parts, sizing_mode="stretch_width", styles=styles, stylesheets=[STYLES], margin=0)
