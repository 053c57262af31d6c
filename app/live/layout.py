"""How the controls and figures of a simulation are arranged on its page."""

import panel as pn
from bokeh.models import LayoutDOM

from app.live.controls import controls, fold, grid
from app.live.session import Session
from app.live.transport import transport
from sims.contract.simulation import Training

MEASURES = "measures"
"""Tag of the fold with the plots that measure what the stage shows"""


def layout(session: Session) -> pn.Column:
    """Controls, transport, the stage, and a fold with the measures."""
    parts = [*controls(session.simulation)]
    if isinstance(session.simulation, Training):
        parts.append(transport(session.simulation))
    parts.append(grid(*_panes(session.stage), least=300, css_classes=["stage-figures"]))
    if session.measures:
        parts += fold(MEASURES, "Measure it", grid(*_panes(session.measures), least=300))
    hidden = [session.live, session.listing, session.request, session.reply]
    parts.append(pn.Column(*map(pn.pane.Bokeh, hidden), visible=False))
    return pn.Column(*parts, sizing_mode="stretch_width", margin=0)


def _panes(figures: list[LayoutDOM]) -> list[pn.pane.Bokeh]:
    """Each figure in its cell; one that would stand alone in its row takes it whole."""
    panes = [pn.pane.Bokeh(each, sizing_mode="stretch_width", margin=0) for each in figures]
    narrow = [each for each in panes if "grid-column" not in each.object.styles]
    if len(narrow) % 2:
        narrow[-1].styles = {"grid-column": "1 / -1"}
    return panes
