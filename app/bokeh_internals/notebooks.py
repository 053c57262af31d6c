"""Figures in notebooks: whether Panel's scripts are there, which figures are shown, and how changes reach them."""

import panel as pn
from panel.io.notebook import push


def scripts_loaded() -> bool:
    """Whether a cell of this notebook has loaded the scripts of Bokeh and Panel."""
    return bool(pn.extension._loaded)


def is_displayed(column: pn.Column) -> bool:
    """Whether any output shows this column."""
    return bool(column._models)


def push_changes(column: pn.Column) -> None:
    """Send the changes of a column to the notebooks that show it: a whole picture, in one message.

    As text: JupyterLab does not accept the arrays of a document in any other form.
    """
    for reference in column._models:
        _view, _root, document, channel = pn.state._views[reference]
        if channel:
            push(document, channel, binary=False)
