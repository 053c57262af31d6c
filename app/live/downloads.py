"""Frames → what readers take away: the data table of a page, and downloads.

To add a file type, add an entry to `FORMATS`: every figure then has a button for it, with or without a session.
"""

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sims.contract.frame import Frame, finite
from sims.contract.parameters import write
from sims.contract.simulation import Simulation

TABLE = "table"
"""Request type for a table on the page"""

ROWS = 200
"""The most rows of a table on the page; the download has all of them."""

NAME = 120
"""The most letters in a file's name, before its extension"""


SOURCE = "Source: One plus sign, © The Skip Connections authors, CC BY 4.0"
"""Last line of every header. It has no version: files made ahead are kept as long as their numbers are the same."""


@dataclass(frozen=True)
class Format:
    """A file type: its content type, its file extension, and the function that writes it."""

    content_type: str
    ending: str
    content: Callable[[Simulation, Frame], str | bytes]


def provenance(simulation: Simulation, frame: Frame) -> str:
    """The header of a download: what was computed, with which settings, what it shows, and its license."""
    return f"{simulation.provenance(frame)}\n{SOURCE}"


def _about(simulation: Simulation, frame: Frame) -> dict[str, object]:
    return {"provenance": provenance(simulation, frame), "settings": simulation.finite_settings()}


def _csv(simulation: Simulation, frame: Frame) -> str:
    return frame.csv(provenance(simulation, frame))


def _json(simulation: Simulation, frame: Frame) -> str:
    return frame.json(_about(simulation, frame))


def _npz(simulation: Simulation, frame: Frame) -> bytes:
    """A NumPy archive: every array under its name, and as `about` a JSON text with the settings, the results, and what
    each array is.
    """
    about = {
        **_about(simulation, frame),
        "step": frame.step,
        "steps": frame.steps,
        "results": {name: finite(value) for name, value in frame.results.items()},
        "quantities": {
            name: {"label": quantity.label, "unit": quantity.unit, "axes": quantity.axes}
            for name, quantity in frame.quantities.items()
        },
    }
    arrays: dict[str, Any] = {name: quantity.values for name, quantity in frame.quantities.items()}
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, about=np.array(json.dumps(about, allow_nan=False)), **arrays)
    return file.getvalue()


FORMATS: Mapping[str, Format] = {
    "csv": Format("text/csv", "csv", _csv),
    "json": Format("application/json", "json", _json),
    "npz": Format("application/octet-stream", "npz", _npz),
}
"""Every file type, by the name used in requests and buttons, in the order of the buttons"""

REPLIES = (TABLE, *FORMATS)
"""What a page may ask for"""


def reply(kind: str, simulation: Simulation, frame: Frame) -> Mapping[str, Any]:
    """The reply to a request of the page: `tables` with header, rows and the number of rows left out, or a `file` (its
    name) with its `type` and `content`. Raises KeyError for a kind not in REPLIES.
    """
    if kind == TABLE:
        tables = []
        for table in frame.tables():
            rows = list(table.rows())
            shown = [[finite(cell) for cell in row] for row in rows[:ROWS]]
            tables.append({"header": table.header, "rows": shown, "left_out": max(len(rows) - ROWS, 0)})
        return {"tables": tables}
    file_format = FORMATS[kind]
    settings = (f"{key}-{value}" for key, value in write(simulation).items())
    name = "-".join([type(simulation).__name__.lower(), *settings])[:NAME]
    return {
        "file": f"{name}.{file_format.ending}",
        "type": file_format.content_type,
        "content": file_format.content(simulation, frame),
    }
