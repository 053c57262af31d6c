"""The bar that controls a training: train, pause, step, restart, new seed, speed. The page's script uses its tags."""

from collections.abc import Mapping
from typing import Any

import panel as pn

from sims.contract.simulation import Training

SPEEDS = {"Full speed": 1.0, "Half": 0.5, "A quarter": 0.25, "A tenth": 0.1}


def transport(simulation: Training) -> pn.Column:
    """The bar as it is before a run. The page puts its slider through the run beside Train (app/static/figure/bar.js).

    Train and Pause are two buttons that take turns in one place, and neither changes its label: a click means what the
    reader saw when clicking, however late it arrives.
    """
    place: dict[str, Any] = {"styles": {"grid-area": "1 / 1"}}
    turns = pn.Column(
        _button(simulation.verb, "play", css_classes=["primary", "go"], **place),
        _button("Pause", "pause", css_classes=["primary", "halt"], visible=False, **place),
        styles={"display": "grid", "order": "-2"},
        margin=0,
    )
    buttons = [turns, _button("Step", "step"), _button("Restart", "restart")]
    if "seed" in simulation.param:
        buttons.append(_button("New seed", "seed", width=82))
    buttons.append(_button("Skip to the end", "end", width=120, visible=False))
    speed = pn.widgets.Select(label="", options=SPEEDS, value=1.0, tags=[{"does": "speed"}], **_wide(98))
    styles = {"display": "flex", "flex-flow": "row wrap", "gap": "0.2rem 10px", "align-items": "center"}
    inside = {"sizing_mode": "stretch_width", "styles": styles, "margin": 0}
    return pn.Column(*buttons, speed, css_classes=["transport"], **inside)


def _button(label: str, action: str, width: int = 92, **options: Any) -> pn.widgets.Button:
    return pn.widgets.Button(label=label, tags=[{"does": action}], **_wide(width, **options))


def _wide(width: int, styles: Mapping[str, str] | None = None, **options: Any) -> dict[str, Any]:
    """Sizes for a control: this many pixels wide at the usual font size, and wider with larger text."""
    grown = {"width": f"calc({width}px * var(--text, 1))"}
    return {"width": width, "margin": (5, 0), "styles": {**(styles or {}), **grown}, **options}
