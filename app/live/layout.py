"""How the controls and figures of a simulation are arranged on its page."""

from typing import Any

import panel as pn
from bokeh.models import LayoutDOM

from app.live.controls import controls, fold, grid
from app.live.session import Session
from app.live.transport import transport
from sims.contract.simulation import Training

MEASURES = "measures"
"""Tag of the fold with the plots that measure what the main figure shows"""


def layout(session: Session) -> pn.Column:
    """The main figure, the transport bar, controls, and folds with more controls and with the measures."""
    everyday, rare = controls(session.simulation)
    measures = fold(MEASURES, "Measure it", _figures(session.measures)) if session.measures else None
    folds = [part for part in (rare, measures) if part]
    parts = [_figures(session.stage, css_classes=["stage-figures"])]
    if isinstance(session.simulation, Training):
        parts.append(transport(session.simulation))
    if everyday:
        parts.append(everyday)
    if folds:
        side_by_side = {"display": "flex", "flex-flow": "row wrap"}
        parts.append(pn.Column(*(part.opener for part in folds), margin=0, styles=side_by_side))
    parts += [part.inside for part in folds]
    return pn.Column(*parts, sizing_mode="stretch_width", margin=0)


def _figures(figures: list[LayoutDOM], **options: Any) -> pn.Column:
    """Each figure in a grid cell; one that would be alone in its row takes the full width."""
    panes = [pn.pane.Bokeh(figure, sizing_mode="stretch_width", margin=0) for figure in figures]
    narrow = [pane for pane in panes if "grid-column" not in pane.object.styles]
    if len(narrow) % 2:
        narrow[-1].styles = {"grid-column": "1 / -1"}
    return grid(*panes, least=300, most=max(len(narrow) // 2 * 2, 1), **options)
