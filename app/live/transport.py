"""What controls a training: a bar with Train and Pause, and the buttons of its menu, for the page's script."""

from collections.abc import Mapping
from typing import Any

import panel as pn

from sims.contract.simulation import Training

SPEEDS = {"Full speed": 1.0, "Half": 0.5, "A quarter": 0.25, "A tenth": 0.1}


def transport(verb: str, *after: pn.viewable.Viewable) -> pn.Column:
    """The bar as it is before a run. The page puts its slider through the run beside Train (app/static/figure/bar.js).

    Train and Pause are two buttons that take turns in one place, and neither becomes the other: a click means what the
    reader saw when clicking, however late it arrives. The page writes onto Train how long a run takes that nobody has
    made yet (app/static/figure/controls.js).
    """
    turns = pn.Column(
        _button(verb, "play", css_classes=["primary", "go"]),
        _button("Pause", "pause", css_classes=["primary", "halt"], visible=False),
        styles={"display": "flex", "flex-flow": "row"},
        css_classes=["turns"],
        margin=0,
    )
    return _row(turns, *after, css_classes=["transport"])


def steps(simulation: Training) -> pn.Column:
    """The buttons that a reader needs less often than Train, and the speed."""
    buttons = [_button("Step", "step"), _button("Restart", "restart")]
    if "seed" in simulation.param:
        buttons.append(_button("New seed", "seed", width=82))
    buttons.append(_button("Skip to the end", "end", width=120, visible=False))
    speed = pn.widgets.Select(label="", options=SPEEDS, value=1.0, tags=[{"does": "speed"}], **_wide(98))
    return _row(*buttons, speed, css_classes=["steps"])


def _row(*parts: pn.viewable.Viewable, **options: Any) -> pn.Column:
    styles = {"display": "flex", "flex-flow": "row wrap", "gap": "0.2rem 10px", "align-items": "center"}
    return pn.Column(*parts, sizing_mode="stretch_width", styles=styles, margin=0, **options)


def _button(label: str, action: str, width: int = 92, **options: Any) -> pn.widgets.Button:
    return pn.widgets.Button(label=label, tags=[{"does": action}], **_wide(width, **options))


def _wide(width: int, styles: Mapping[str, str] | None = None, **options: Any) -> dict[str, Any]:
    """Sizes for a control: this many pixels wide at the usual font size, and wider with larger text."""
    grown = {"width": f"calc({width}px * var(--text, 1))"}
    return {"width": width, "margin": (5, 0), "styles": {**(styles or {}), **grown}, **options}
