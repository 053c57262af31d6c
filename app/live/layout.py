"""How the controls and figures of a simulation are arranged on its page."""

from typing import Any

import panel as pn
from bokeh.models import LayoutDOM

from app.live.controls import Fold, controls, fold, grid
from app.live.session import Session
from app.live.transport import steps, transport
from sims.contract.simulation import Training

MENU, MEASURES = "menu", "measures"
"""Tags of the menu, and of the fold with the plots that measure what the main figure shows"""


def layout(session: Session) -> pn.Column:
    """The main figure, the bar of a training, everyday controls, and a menu with everything else.

    The menu's button is at the end of the bar, or of the controls of a figure that does not train. On a wide page, the
    controls are in the row of the bar (app/static/bokeh/widgets.css).
    """
    simulation = session.simulation
    everyday, rare = controls(simulation, session.view.needs)
    menu = _menu(session, rare)
    opener = [menu.opener] if menu else []
    parts = [_figures(session.stage, css_classes=["stage-figures"])]
    if isinstance(simulation, Training):
        parts.append(transport(simulation.verb, *([everyday] if everyday else []), *opener))
    elif everyday or opener:
        parts.append(_beside(everyday, *opener))
    if menu:
        parts.append(menu.inside)
    return pn.Column(*parts, sizing_mode="stretch_width", margin=0)


def _menu(session: Session, rare: pn.Column | None) -> Fold | None:
    """What a reader needs less often. If that is only the measures, they have no menu around them."""
    simulation = session.simulation
    measures = fold(MEASURES, "Measure it", _figures(session.measures)) if session.measures else None
    parts = [steps(simulation)] if isinstance(simulation, Training) else []
    parts += [rare] if rare else []
    if not parts:
        return measures
    return fold(MENU, "More", *parts, *(measures or ()), width=72)


def _beside(everyday: pn.Column | None, *opener: pn.viewable.Viewable) -> pn.Column:
    """The controls, and what opens the menu to their right."""
    if not everyday:
        return pn.Column(*opener, sizing_mode="stretch_width", margin=0)
    if not opener:
        return everyday
    everyday.styles = {**everyday.styles, "flex": "1", "min-width": "0"}
    styles = {"display": "flex", "flex-flow": "row nowrap", "align-items": "end", "gap": "10px"}
    return pn.Column(everyday, *opener, sizing_mode="stretch_width", margin=0, styles=styles)


def _figures(figures: list[LayoutDOM], **options: Any) -> pn.Column:
    """Each figure in a grid cell; one that would be alone in its row takes the full width."""
    panes = [pn.pane.Bokeh(figure, sizing_mode="stretch_width", margin=0) for figure in figures]
    narrow = [pane for pane in panes if "grid-column" not in pane.object.styles]
    if len(narrow) % 2:
        narrow[-1].styles = {"grid-column": "1 / -1"}
    return grid(*panes, least=360, most=max(len(narrow) // 2 * 2, 1), **options)
