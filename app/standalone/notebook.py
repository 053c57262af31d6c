"""Notebook output of a simulation: a live figure if there is a kernel, else its picture and its text.

`sims` finds `show` through its entry point and does not depend on pictures.
"""

import sys
from base64 import b64encode
from collections.abc import Container
from html import escape
from typing import Any
from uuid import uuid4

import panel as pn
from bokeh.document import Document

from app.bokeh_internals.notebooks import scripts_loaded
from app.standalone.figure import Figure
from app.standalone.stills import image
from sims.contract.parameters import write
from sims.contract.simulation import Simulation
from sims.kept import results

Bundle = tuple[dict[str, Any], dict[str, Any]]
"""Data and metadata, each by its media type"""

Kinds = Container[str] | None

WIDGETS = ("vscode", "ipywidgets")
"""Frontends where Panel has no channel of its own to the kernel, and a figure is a Jupyter widget"""

WIDGET = "application/vnd.jupyter.widget-view+json"

_loaded_by: tuple[str | None, int] = (None, 0)
"""The cell whose output holds the scripts, and its execution count when it loaded them"""


def show(simulation: Simulation, include: Kinds = None, exclude: Kinds = None) -> Bundle:
    """The figure for Jupyter and VS Code; only text in a terminal.

    `include` and `exclude` select media types, as IPython requires.
    """
    data, metadata = _live(simulation) if _kernel() else _in_words(simulation)
    chosen = {kind: content for kind, content in data.items() if _is_admitted(kind, include, exclude)}
    return chosen, {kind: content for kind, content in metadata.items() if kind in chosen}


def _in_words(simulation: Simulation) -> Bundle:
    frame = results.at_once(simulation)
    return {"text/plain": _plain(simulation, simulation.describe(frame) if frame else "")}, {}


def _plain(simulation: Simulation, sentence: str) -> str:
    changed = ", ".join(f"{name}={getattr(simulation, name)!r}" for name in write(simulation))
    return "\n".join(line for line in (f"{type(simulation).__name__}({changed})", simulation.title(), sentence) if line)


def _is_admitted(kind: str, include: Kinds, exclude: Kinds) -> bool:
    return (not include or kind in include) and not (exclude and kind in exclude)


def _kernel() -> Any:
    """The kernel that runs the notebook's cells; None in a terminal and in a script."""
    ipython: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(ipython, "kernel", None)


def _load() -> None:
    """Load Bokeh's and Panel's scripts into the notebook, from this machine, unless its author has done so.

    The output of one cell holds them. If that cell runs again, they are loaded again: the page may be a new one.
    """
    global _loaded_by
    kernel = _kernel()
    cell = kernel.get_parent("shell").get("metadata", {}).get("cellId"), kernel.execution_count
    again = cell[0] is not None and cell[0] == _loaded_by[0] and cell != _loaded_by
    if again or not scripts_loaded():
        pn.extension(inline=True, console_output="disable")
        _loaded_by = cell


def _live(simulation: Simulation) -> Bundle:
    """The figure, with a still in the same place where its scripts do not run."""
    _load()
    figure = Figure(simulation, Document())
    data: dict[str, Any] = {"text/plain": _plain(simulation, figure.sentence)}
    metadata: dict[str, Any] = {}
    html = ""
    if pn.config.comms in WIDGETS:
        widget: Any = pn.ipywidget(figure.column)
        data[WIDGET] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    else:
        live, metadata = figure.column._repr_mimebundle_()
        html = live.pop("text/html")
        data |= live
    alone = f"alone-{uuid4().hex[:8]}"
    # Once the figure is drawn, hide the still that replaces it.
    hidden = f"<style>#{alone}:has([data-root-id] > *) > .still {{ display: none }}</style>"
    still = _without_scripts(simulation, figure.sentence)
    data["text/html"] = f'<div id="{alone}">{hidden}{html}<div class="still">{still}</div></div>'
    return data, metadata


def _without_scripts(simulation: Simulation, sentence: str) -> str:
    title, picture = escape(simulation.title()), image(simulation)
    source = f"data:image/webp;base64,{b64encode(picture).decode()}"
    tag = f'<img src="{source}" alt="{title}" style="max-width: 100%">' if picture else ""
    return f'<p><strong>{title}</strong></p>{tag}<p style="max-width: 46em">{escape(sentence)}</p>'
