"""Parameters → widgets, as they appear in a prerendered picture.

The page's script reads from a widget's tag which parameter it sets, and sends the reader's choice as text. Whatever
arrives is validated by the parameter's declaration before it reaches a simulation; no widget is trusted.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import panel as pn
import param

from sims.contract.number_list import NumberList, written
from sims.contract.parameters import Stops, control_names, in_words, to_text
from sims.contract.simulation import Simulation
from sims.contract.spelled import TextParameter

SEGMENTS, LETTERS = 4, 24
"""Limits up to which a choice is shown as buttons side by side: number of options, and of letters in all."""

GAP = "1.1rem"
"""Gap between two columns"""


class Fold(NamedTuple):
    """A button, and what it shows and hides."""

    opener: pn.viewable.Viewable
    inside: pn.viewable.Viewable


def widget(
    name: str, parameter: param.Parameter, value: Any, needs: tuple[str, str] | None = None
) -> pn.viewable.Viewable:
    """The widget for a parameter, showing `value`, with a label where it has none of its own.

    Its model carries a tag `{"control": name}`, with what it `needs` (`View.needs`). If it moves through options, the
    tag has them as `options`: a list of pairs of the text for a URL and the one for the reader.
    """
    tag: dict[str, Any] = {"control": name, **({"needs": list(needs)} if needs else {})}
    shared: dict[str, Any] = {"label": parameter.label, "sizing_mode": "stretch_width", "tags": [tag]}
    if isinstance(parameter, param.Boolean):
        return pn.widgets.Checkbox(value=value, **{**shared, "css_classes": ["control-check"]})
    if isinstance(parameter, param.Selector):
        names = dict(getattr(parameter, "names", None) or {in_words(choice): choice for choice in parameter.objects})
        tag["options"] = [[to_text(option), label] for label, option in names.items()]
        options = {label: to_text(option) for label, option in names.items()}
        at = list(options.values()).index(to_text(value))
        if isinstance(parameter, Stops):
            tag["stops"] = True
            return pn.widgets.IntSlider(value=at, start=0, end=len(options) - 1, show_value=False, **shared)
        if len(options) <= SEGMENTS and sum(map(len, options)) <= LETTERS:
            group = pn.widgets.RadioButtonGroup(options=options, value=to_text(value), **{**shared, "margin": 0})
            label = pn.pane.Str(parameter.label, css_classes=["group-label"], margin=0)
            return pn.Column(label, group, sizing_mode="stretch_width", margin=(5, 10))
        return pn.widgets.Select(options=options, value=to_text(value), **shared)
    if isinstance(parameter, TextParameter):
        example = f"e.g. {written({3, *range(5, 9)})}" if isinstance(parameter, NumberList) else ""
        return pn.widgets.TextInput(value=value, placeholder=example, **shared)
    low, high = parameter.bounds
    if isinstance(parameter, param.Integer):
        return pn.widgets.IntSlider(value=value, start=low, end=high, step=parameter.step or 1, **shared)
    return pn.widgets.FloatSlider(value=value, start=low, end=high, step=parameter.step or (high - low) / 100, **shared)


def controls(
    simulation: Simulation, needs: Mapping[str, tuple[str, str]] | None = None
) -> tuple[pn.Column | None, pn.Column | None]:
    """The grid of everyday controls and that of the rare ones; None where there are none. `needs`: see `View`."""
    everyday: list[pn.viewable.Viewable] = []
    rare: list[pn.viewable.Viewable] = []
    for name in control_names(type(simulation)):
        parameter = simulation.param[name]
        precedence = parameter.precedence or 0
        if precedence >= 0:
            group = rare if precedence >= 1 else everyday
            group.append(widget(name, parameter, getattr(simulation, name), (needs or {}).get(name)))
    return _grid_of(everyday), _grid_of(rare)


def _grid_of(group: Sequence[pn.viewable.Viewable]) -> pn.Column | None:
    return grid(*group, css_classes=["controls"]) if group else None


def fold(name: str, label: str, *content: pn.viewable.Viewable, width: int = 120, **options: Any) -> Fold:
    """A button and the content it shows and hides; the page's script does this by their tags."""
    opener = pn.widgets.Toggle(
        label=label, css_classes=["more", name, "opener"], width=width, margin=(5, 0), tags=[{"opens": name}], **options
    )
    inside = pn.Column(*content, visible=False, sizing_mode="stretch_width", margin=0, tags=[{"fold": name}])
    return Fold(opener, inside)


def grid(*parts: Any, least: int = 204, most: int | None = None, **options: Any) -> pn.Column:
    """As many columns of at least `least` pixels as fit, but at most `most` and at most one per part."""
    share = f"100% / {most or len(parts) or 1} - {GAP}"
    columns = f"repeat(auto-fit, minmax(min(max({least}px, {share}), 100%), 1fr))"
    styles = {"display": "grid", "grid-template-columns": columns, "gap": f"0.3rem {GAP}", "align-items": "end"}
    return pn.Column(*parts, sizing_mode="stretch_width", styles=styles, margin=0, **options)
