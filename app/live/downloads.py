"""Frames → what the page asks for: the data table and the downloads."""

from collections.abc import Mapping
from typing import Any

from sims.contract.frame import Frame, finite
from sims.contract.parameters import write
from sims.contract.simulation import Simulation

ROWS = 200
"""Rows of a table on the page; the download has all of them."""


def provenance(simulation: Simulation, frame: Frame) -> str:
    """The head of a download: what was computed, with which settings, and the sentence that describes it."""
    honesty = simulation.honesty()
    settings = ", ".join(f"{name} = {value}" for name, value in simulation.settings().items())
    lines = [simulation.title(), simulation.describe(frame), f"Settings: {settings}"]
    lines += [f"Network: {honesty.network}", f"Data: {honesty.data}", f"Seeds: {honesty.seeds}"]
    return "\n".join([*lines, f"It cannot show: {honesty.cannot_show}"])


def reply(action: str, simulation: Simulation, frame: Frame) -> Mapping[str, Any]:
    """The answer to a request of the page: `table` gives headers and rows, `csv` and `json` a whole file."""
    if action == "table":
        tables = []
        for table in frame.tables():
            rows = [[finite(cell) for cell in row] for row in table.rows()]
            tables.append({"header": table.header, "rows": rows[:ROWS], "left_out": max(len(rows) - ROWS, 0)})
        return {"do": action, "tables": tables}
    name = "-".join(
        [type(simulation).__name__.lower(), *(f"{key}-{value}" for key, value in write(simulation).items())]
    )
    content = frame.csv(provenance(simulation, frame)) if action == "csv" else frame.json()
    return {"do": action, "file": f"{name[:120]}.{action}", "content": content}
