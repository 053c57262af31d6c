"""What opening a session costs the server: the models of every simulation, in turns, by processor time."""

import statistics
from functools import partial

from bokeh.document import Document

from app.live.session import Session
from benchmarks._figures import in_turns, note
from sims import registry

ROUNDS = 9
GOAL = 120
"""Milliseconds, for the largest"""

LARGEST = 5


def open_session(name: str) -> None:
    """As `/open` does it."""
    document = Document()
    session = Session(document, name, registry.find(name)(), place="here")
    with document.models.freeze():
        for model in session.models:
            document.add_root(model)
    document.models.flush_synced()


def main() -> None:
    """Print the dearest beside the goal, and the usual one."""
    times = in_turns({name: partial(open_session, name) for name in registry.names()}, ROUNDS)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name in sorted(medians, key=lambda key: -medians[key])[:LARGEST]:
        note(f"opening a session: {name}", [1e3 * x for x in times[name]], "ms", GOAL)
    note("opening a session: all simulations", [1e3 * median for median in medians.values()], "ms", GOAL)
