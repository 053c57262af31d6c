"""The numbers of the text and the runs that come with the code, where both were read off one run."""

import inspect
from contextlib import suppress

import pytest

from sims.contract.calculation import Number
from sims.contract.frame import Frame
from sims.contract.simulation import Simulation
from sims.kept import results
from sims.kept.book import NumberStore
from sims.numbers.call import parse
from sims.paths import CONTENT


class NotShipped(Exception):
    """The run of a number does not come with the code."""


def shipped(simulation: Simulation) -> Frame:
    """Return the frame in `content/runs`, whatever the cache holds."""
    place = results.SHIPPED / results.name(simulation)
    if not place.is_file():
        raise NotShipped
    return simulation.reread(results.unpacked(place.read_bytes()))


def test_a_number_is_that_of_the_shipped_run_so_that_text_and_figure_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "finished", shipped)
    actual, expected = dict[str, Number](), dict[str, Number]()
    for call, entry in NumberStore(CONTENT / "numbers.json").entries.items():
        calculation, arguments = parse(call)
        if "results.finished" not in inspect.getsource(calculation.function):
            continue
        with suppress(NotShipped):
            actual[call] = calculation.function(**arguments)
            expected[call] = entry.value
    assert len(actual) > 50
    assert actual == expected
